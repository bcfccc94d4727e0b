// SPDX-License-Identifier: Apache-2.0
import Crypto
public import TernFoundation
package import TernRequests

/// The digest of a URL, with which a store finds the responses for the URL.
public struct CacheKey: Hashable, Sendable {
    /// The SHA-256 digest, as 64 hexadecimal digits.
    public let name: String

    /// Creates the key of a URL.
    ///
    /// - Parameters:
    ///   - url: The `http` or `https` URL. Its fragment (RFC 9110 §7.1) and user information do not matter.
    ///   - unixSocketPath: The path of the Unix-domain socket that the request uses instead of the URL's host.
    public init(_ url: URL, unixSocketPath: String? = nil) {
        self.init(text: (try? Destination(url)).map { Self.text($0) } ?? url.absoluteString, unixSocketPath)
    }

    package init(_ place: Destination, unixSocketPath: String?) { self.init(text: Self.text(place), unixSocketPath) }

    private init(text: String, _ unixSocketPath: String?) {
        self.name = Self.digest("\(unixSocketPath ?? "")\n\(text)")
    }

    init(unchecked name: String) { self.name = name }

    /// Includes the zone of a link-local address, because the same address in another zone is another server.
    private static func text(_ place: Destination) -> String {
        let text = place.absoluteTarget
        return place.origin.zone.map { "\(text)\n\($0)" } ?? text
    }

    package static func digest(_ text: String) -> String { SHA256.hash(data: Array(text.utf8)).hexadecimal }
}

extension SHA256Digest {
    var hexadecimal: String { self.withUnsafeBytes { Hexadecimal.digits(of: $0) } }
}
