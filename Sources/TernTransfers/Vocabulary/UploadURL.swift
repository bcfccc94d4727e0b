// SPDX-License-Identifier: Apache-2.0
import TernErrors
package import TernFoundation
package import TernRequests

/// The URL of an upload on the server, as the server gave it in `Location`.
///
/// The URL is a capability: a client that knows it can read the state of the upload, append to it and cancel it. It may
/// be at another origin than the resource that the file is for. No log may contain it.
package struct UploadURL: Hashable, Sendable {
    /// The maximum length of the URL, in bytes.
    ///
    /// "It is RECOMMENDED that all senders and recipients support, at a minimum, URIs with lengths of 8000 octets in
    /// protocol elements" (RFC 9110 §4.1).
    package static let maximumByteCount = 8000

    /// The absolute URL.
    package let url: URL
    /// The server that the URL leads to.
    package let origin: Origin

    /// Creates an upload URL from the value of `Location`.
    ///
    /// - Parameters:
    ///   - location: The value of the field: an absolute URL, or a reference that is relative to `base`.
    ///   - base: The URL that the response came from. A reference from `https` to `http` is refused, because any device
    ///     on the way could read the file. But a reference to the same host and port stays `https`: a server behind a
    ///     proxy that does the TLS often does not know of it.
    /// - Throws: ``LocationViolation``.
    package init(location: String, relativeTo base: URL) throws(LocationViolation) {
        guard let resolved = try? URLReference(location).url(relativeTo: base).absoluteURL else { throw .malformed }
        try self.init(Self.keepingTLS(resolved, of: base))
        if base.scheme?.lowercased() == "https", self.origin.scheme != .https { throw .insecure }
    }

    /// Returns the URL with `https`, if it has `http`, and the host and the port of a base with `https`.
    ///
    /// A URL without a port has the same port as a base with the default port of `https`.
    private static func keepingTLS(_ url: URL, of base: URL) -> URL {
        guard base.scheme?.lowercased() == "https", url.scheme?.lowercased() == "http",
            let server = (try? Destination(base))?.origin, let origin = (try? Destination(url))?.origin,
            origin.host == server.host, url.port ?? Origin.Scheme.https.defaultPort == server.port
        else { return url }
        return URL(string: "https" + url.absoluteString.dropFirst("http".utf8.count)) ?? url
    }

    /// Creates an upload URL from the text of an absolute URL, such as that in a record.
    ///
    /// - Parameter text: The text. The result is `nil` if it is not a valid absolute `http` or `https` URL, or is too
    ///   long.
    package init?(_ text: String) {
        guard let url = URL(string: text), url.absoluteString == text, let value = try? UploadURL(url) else {
            return nil
        }
        self = value
    }

    private init(_ url: URL) throws(LocationViolation) {
        guard let destination = try? Destination(url) else { throw .malformed }
        guard url.absoluteString.utf8.count <= Self.maximumByteCount else { throw .tooLong }
        self.url = url
        self.origin = destination.origin
    }

    /// The text of the URL.
    package var text: String { self.url.absoluteString }
}

extension UploadURL: CustomStringConvertible, CustomReflectable {
    /// The origin, because the rest of the URL is a secret.
    package var description: String { "\(self.origin)/…" }

    /// Shows no children to `dump`.
    package var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

/// A rule about `Location` that a server breaks when it names an upload.
package enum LocationViolation: Error, Hashable, Sendable {
    /// There is no `Location`, or more than one.
    case missing
    /// The value is not a valid `http` or `https` URL.
    case malformed
    /// The URL is longer than ``UploadURL/maximumByteCount``.
    case tooLong
    /// The URL leads from `https` to `http`.
    case insecure
    /// The URL differs from the one that the server named before for the same request.
    case changed
}
