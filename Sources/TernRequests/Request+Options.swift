// SPDX-License-Identifier: Apache-2.0
public import HTTPTypes
import TernErrors

extension Request {
    /// Limits the time of the whole call, from its start to the end of the body, including redirects and retries.
    ///
    /// The other limits do not change; see ``timeouts(_:)``.
    ///
    /// - Parameter duration: The maximum duration of the call.
    /// - Returns: A changed copy.
    public func timeout(_ duration: Duration) -> Request {
        self.with { $0.options.callTimeout = duration }
    }

    /// Sets all time limits.
    ///
    /// These limits replace the client's limits.
    ///
    /// - Parameter timeouts: The limits. ``Timeouts/call`` replaces the limit of an earlier ``timeout(_:)``.
    /// - Returns: A changed copy.
    public func timeouts(_ timeouts: Timeouts) -> Request {
        self.with { request in
            request.options.timeouts = timeouts
            request.options.callTimeout = nil
        }
    }

    /// Sets the rules for following redirects.
    ///
    /// This policy replaces the client's policy.
    ///
    /// - Parameter policy: The policy.
    /// - Returns: A changed copy.
    public func redirects(_ policy: RedirectPolicy) -> Request {
        self.with { $0.options.redirects = policy }
    }

    /// Marks fields as sensitive, so that the client does not send them to another origin after a redirect.
    ///
    /// - Parameter names: The names of the fields, such as the name of a field with an API key.
    /// - Returns: A changed copy.
    public func sensitive(_ names: HTTPField.Name...) -> Request {
        self.with { $0.options.sensitiveFields.formUnion(names) }
    }

    /// Marks fields as sensitive, by the text of their names, so that the client does not send them to another origin
    /// after a redirect.
    ///
    /// - Parameter names: The fields' names, in any case. If one is not a token (RFC 9110 §5.1), the ``problem`` is
    ///   `RequestFailure.malformedFieldName`.
    /// - Returns: A changed copy.
    public func sensitive(_ names: String...) -> Request {
        self.with { request in
            for name in names {
                if let name = HTTPField.Name(name) {
                    request.options.sensitiveFields.insert(name)
                } else {
                    request.problems.field = .malformedFieldName
                }
            }
        }
    }

    /// Tells the client to compress the body with gzip, and to say so in `Content-Encoding` (RFC 9110 §8.4).
    ///
    /// Use this method if you know that the server accepts gzip. A client cannot ask in advance, and a server without
    /// support answers 415 (RFC 9110 §12.5.3).
    ///
    /// The client compresses bytes in memory once, and sends them uncompressed if compression does not make them
    /// shorter. It compresses files, forms with files and streams while it sends them, in chunks, because the
    /// compressed length is not known in advance. A body with its own `Content-Encoding` is not changed.
    ///
    /// - Parameter minimumByteCount: The minimum length in bytes of a body to compress. Defaults to 1024, because a
    ///   shorter body fits in one packet anyway. A stream of unknown length is always compressed.
    /// - Returns: A changed copy.
    public func compressed(minimumByteCount: Int = 1024) -> Request {
        self.with { $0.options.compression = RequestCompression(minimumByteCount: minimumByteCount) }
    }

    /// Tells the client to connect to a Unix-domain socket instead of the URL's host and port.
    ///
    /// The URL still names the resource, and the client sends the URL's host as `Host`: `localhost` for
    /// `http://localhost/containers/json`.
    ///
    /// - Parameter path: The path of the socket in the file system.
    /// - Returns: A changed copy.
    public func unixSocket(path: String) -> Request {
        self.with { $0.options.unixSocketPath = path }
    }
}

/// The settings for compressing a request's body with gzip.
@usableFromInline
package struct RequestCompression: Hashable, Sendable {
    /// The minimum length in bytes of a body to compress.
    ///
    /// Defaults to 1024, because a shorter body fits in one packet anyway.
    package var minimumByteCount: Int

    /// Creates settings.
    package init(minimumByteCount: Int = 1024) { self.minimumByteCount = minimumByteCount }
}
