// SPDX-License-Identifier: Apache-2.0
public import HTTPTypes

extension Request {
    /// Limits the time of the whole call, redirects and retries included, to the end of the body.
    ///
    /// The other limits stay as they are; see ``timeouts(_:)``.
    ///
    /// - Parameter duration: the longest time the call may take.
    /// - Returns: a changed copy.
    public func timeout(_ duration: Duration) -> Request {
        self.with { $0.options.callTimeout = duration }
    }

    /// Sets all limits of time, in place of the client's.
    ///
    /// - Parameter timeouts: the limits; that of the whole call replaces an earlier ``timeout(_:)``.
    /// - Returns: a changed copy.
    public func timeouts(_ timeouts: Timeouts) -> Request {
        self.with { request in
            request.options.timeouts = timeouts
            request.options.callTimeout = nil
        }
    }

    /// Says which redirects are followed, in place of the client's policy.
    ///
    /// - Parameter policy: the policy.
    /// - Returns: a changed copy.
    public func redirects(_ policy: RedirectPolicy) -> Request {
        self.with { $0.options.redirects = policy }
    }

    /// Marks fields as sensitive, so that no redirect takes them to another origin.
    ///
    /// - Parameter names: the fields' names, such as that of an API key.
    /// - Returns: a changed copy.
    public func sensitive(_ names: HTTPField.Name...) -> Request {
        self.with { $0.options.sensitiveFields.formUnion(names) }
    }

    /// Compresses the body with gzip, and says so by `Content-Encoding` (RFC 9110 §8.4).
    ///
    /// Use it where the server is known to accept it: no field of a request can ask beforehand, and one that does not
    /// answers 415 (RFC 9110 §12.5.3). Bytes in memory are compressed once, and sent as they are if that does not make them
    /// shorter. Files, forms with files and streams are compressed while they are sent, in chunks, since the length is
    /// not known before. A body with a `Content-Encoding` of its own is left as it is.
    ///
    /// - Parameter minimumByteCount: the length from which on it is worth it, in bytes; 1024 by default, because less fits
    ///   one packet anyway. A stream without a length is always compressed.
    /// - Returns: a changed copy.
    public func compressed(minimumByteCount: Int = 1024) -> Request {
        self.with { $0.options.compression = RequestCompression(minimumByteCount: minimumByteCount) }
    }

    /// Connects to a Unix-domain socket, in place of the URL's host and port.
    ///
    /// The URL still says what is asked, and its host is sent as `Host`, as in `http://localhost/containers/json`.
    ///
    /// - Parameter path: the path of the socket in the file system.
    /// - Returns: a changed copy.
    public func unixSocket(path: String) -> Request {
        self.with { $0.options.unixSocketPath = path }
    }
}

/// How long each kind of waiting may take; `nil` is no limit.
///
/// No single number suits both a small answer and a download of hours, so the defaults bound *silence* rather than the
/// whole call. Each names its precedent.
public struct Timeouts: Hashable, Sendable {
    /// Name look-up, TCP and TLS together; 10 seconds by default, as OkHttp has it (Go's dialer has 30 seconds, curl
    /// 300): who has not answered three retransmitted SYNs by then will not.
    public var connect: Duration?
    /// Waiting for a free connection, because the host has as many as it may; 60 seconds by default.
    public var connection: Duration?
    /// From the end of the request to the first byte of the response; 60 seconds by default, as `URLSession` has it.
    public var firstByte: Duration?
    /// Between two pieces of the response, or of the request, while the peer neither sends nor takes anything; 60
    /// seconds by default, as `URLSession` has it.
    ///
    /// Silence is noticed after this time, and before twice of it.
    public var idle: Duration?
    /// The whole call, redirects and retries included, to the end of the body; none by default, for a download may take
    /// hours (`URLSession` ends it after seven days, curl and OkHttp never).
    public var call: Duration?

    /// Creates limits.
    ///
    /// - Parameters:
    ///   - connect: for name look-up, TCP and TLS; 10 seconds by default.
    ///   - connection: for a free connection; 60 seconds by default.
    ///   - firstByte: for the first byte of the response; 60 seconds by default.
    ///   - idle: for silence in between; 60 seconds by default.
    ///   - call: for everything; none by default.
    public init(
        connect: Duration? = .seconds(10),
        connection: Duration? = .seconds(60),
        firstByte: Duration? = .seconds(60),
        idle: Duration? = .seconds(60),
        call: Duration? = nil
    ) {
        self.connect = connect
        self.connection = connection
        self.firstByte = firstByte
        self.idle = idle
        self.call = call
    }

    /// No limits at all.
    public static let none = Timeouts(connect: nil, connection: nil, firstByte: nil, idle: nil, call: nil)
}

/// Which redirects are followed (RFC 9110 §15.4), where no delegate says otherwise.
public struct RedirectPolicy: Hashable, Sendable {
    /// Where redirects may lead.
    @nonexhaustive
    public enum Scope: Hashable, Sendable {
        /// Anywhere.
        case anywhere
        /// To the same scheme, host and port only; another is the response.
        case sameOrigin
        /// Nowhere: the redirect is the response.
        case nowhere
    }

    /// Where redirects may lead; anywhere by default.
    public var scope: Scope
    /// How many are followed for one call; 20 by default, as browsers have it (Fetch §4.4); one more ends the call with
    /// `ClientError.redirectFailed(.tooMany)`.
    public var maximumCount: Int
    /// Whether one from `https` to `http` is followed; `false` by default, because then everybody on the way can read.
    public var allowsInsecure: Bool

    /// Creates a policy; see the properties for the defaults and their reasons.
    public init(scope: Scope = .anywhere, maximumCount: Int = 20, allowsInsecure: Bool = false) {
        self.scope = scope
        self.maximumCount = maximumCount
        self.allowsInsecure = allowsInsecure
    }

    /// Follow all, but none from `https` to `http`, and 20 at most; the default.
    public static let follow = RedirectPolicy()
    /// Follow those to the same scheme, host and port.
    public static let sameOrigin = RedirectPolicy(scope: .sameOrigin)
    /// Follow none: the redirect is the response.
    public static let never = RedirectPolicy(scope: .nowhere)
}

/// That a request's body is compressed with gzip, and when.
public struct RequestCompression: Hashable, Sendable {
    /// The length from which on a body is compressed, in bytes; 1024 by default, because less fits one packet anyway.
    public var minimumByteCount: Int

    /// Creates the default settings, or others.
    public init(minimumByteCount: Int = 1024) { self.minimumByteCount = minimumByteCount }
}
