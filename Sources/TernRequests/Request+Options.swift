// SPDX-License-Identifier: Apache-2.0
public import HTTPTypes
import TernErrors

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

    /// Marks fields as sensitive by the text of their names, so that no redirect takes them to another origin.
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

/// That a request's body is compressed with gzip, and when.
@usableFromInline
package struct RequestCompression: Hashable, Sendable {
    /// The length from which on a body is compressed, in bytes; 1024 by default, because less fits one packet anyway.
    package var minimumByteCount: Int

    /// Creates the default settings, or others.
    package init(minimumByteCount: Int = 1024) { self.minimumByteCount = minimumByteCount }
}
