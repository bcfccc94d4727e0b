// SPDX-License-Identifier: Apache-2.0
import TernErrors
package import TernFoundation
package import TernRequests

/// The URL of an upload on the server, as the server gave it in `Location`.
///
/// The URL is a capability: a client that knows it can read the state of the upload, append to it and cancel it. It may be at
/// another origin than the resource. No log may contain it.
package struct UploadURL: Hashable, Sendable {
    /// The maximum length of the URL of an upload, in bytes.
    ///
    /// Beyond it, the call throws `ClientError.protocolViolation`, or goes on as a plain upload. "It is RECOMMENDED that all
    /// senders and recipients support, at a minimum, URIs with lengths of 8000 octets in protocol elements" (RFC 9110 §4.1).
    package static let maximumByteCount = 8000

    package let url: URL
    package let origin: Origin

    /// Refuses a reference from `https` to `http`, because any device on the way could read the file; but a reference to the same
    /// host and port becomes `https`: a server behind a proxy that does the TLS often does not know of the TLS.
    package init(location: String, relativeTo base: URL) throws(LocationViolation) {
        guard let resolved = try? URLReference(location).url(relativeTo: base).absoluteURL else { throw .malformed }
        try self.init(Self.keepingTLS(resolved, of: base))
        if base.scheme?.lowercased() == "https", self.origin.scheme != .https { throw .insecure }
    }

    /// Returns the URL with `https` if it has `http`, and the host and the port of a base with `https`; a URL without a port counts
    /// as one with the default port of `https`.
    private static func keepingTLS(_ url: URL, of base: URL) -> URL {
        guard base.scheme?.lowercased() == "https", url.scheme?.lowercased() == "http",
            let server = (try? Destination(base))?.origin, let origin = (try? Destination(url))?.origin,
            origin.host == server.host, url.port ?? Origin.Scheme.https.defaultPort == server.port
        else { return url }
        return URL(string: "https" + url.absoluteString.dropFirst("http".utf8.count)) ?? url
    }

    /// Returns `nil` unless the text is a valid absolute `http` or `https` URL that is not too long.
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

    package var text: String { self.url.absoluteString }
}

extension UploadURL: CustomStringConvertible, CustomReflectable {
    /// The rest of the URL is a secret.
    package var description: String { "\(self.origin)/…" }

    package var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

package enum LocationViolation: Error, Hashable, Sendable {
    case missing
    case malformed
    case tooLong
    case insecure
    /// The URL differs from the one that the server named before for the same request.
    case changed
}
