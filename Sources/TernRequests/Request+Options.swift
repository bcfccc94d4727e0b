// SPDX-License-Identifier: Apache-2.0
public import HTTPTypes
import TernErrors

extension Request {
    /// Limits the time of the whole call, from its start to the end of the body, including redirects and retries.
    ///
    /// The other limits do not change; see ``timeouts(_:)``.
    public func timeout(_ duration: Duration) -> Request {
        self.with { $0.options.callTimeout = duration }
    }

    /// Sets all time limits, in place of the client's.
    ///
    /// ``Timeouts/call`` also replaces the limit of an earlier ``timeout(_:)``.
    public func timeouts(_ timeouts: Timeouts) -> Request {
        self.with { request in
            request.options.timeouts = timeouts
            request.options.callTimeout = nil
        }
    }

    /// Sets the rules for following redirects, in place of the client's policy; not for a resumable upload's own URL.
    public func redirects(_ policy: RedirectPolicy) -> Request {
        self.with { $0.options.redirects = policy }
    }

    /// Marks fields as sensitive: the client does not send them to another origin after a redirect, masks them in curl commands,
    /// and uses a stored response only for requests with the same values of these fields.
    public func sensitive(_ names: HTTPField.Name...) -> Request {
        self.with { $0.options.sensitiveFields.formUnion(names) }
    }

    /// Marks fields as sensitive, by the text of their names in any case, as ``sensitive(_:)-(HTTPField.Name...)`` does.
    ///
    /// If a name is not a token (RFC 9110 §5.1), the ``problem`` is `RequestFailure.malformedFieldName`.
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
    /// Use this method if you know that the server accepts gzip; a server without support can answer 415 (RFC 9110 §12.5.3). The
    /// client compresses bytes in memory once, and sends them uncompressed if they do not get shorter. It compresses files, forms
    /// with files and streams while it sends them, over HTTP/1.1 in chunks. It leaves a body with its own `Content-Encoding`, and
    /// an upload that can be resumed, as they are.
    ///
    /// - Parameter minimumByteCount: The minimum length in bytes of a body to compress. Below it, the client sends the body
    ///   uncompressed. Defaults to 1024, because a shorter body usually fits in one packet. A stream of unknown length is
    ///   always compressed.
    /// - Returns: A changed copy.
    public func compressed(minimumByteCount: Int = 1024) -> Request {
        self.with { $0.options.compression = RequestCompression(minimumByteCount: minimumByteCount) }
    }

    /// Tells the client to connect to the Unix-domain socket at a path instead of the URL's host and port.
    ///
    /// The client still sends the URL's host as `Host`: `localhost` for `http://localhost/containers/json`. Through the socket, it
    /// sends no tokens of `Client.Configuration.bearer`, and no cookies of its store. A redirect to another origin leaves the
    /// socket.
    public func unixSocket(path: String) -> Request {
        self.with { $0.options.unixSocketPath = path }
    }
}

@usableFromInline
package struct RequestCompression: Hashable, Sendable {
    package var minimumByteCount: Int

    package init(minimumByteCount: Int = 1024) { self.minimumByteCount = minimumByteCount }
}
