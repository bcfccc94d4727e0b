// SPDX-License-Identifier: Apache-2.0
import Crypto
package import TernRequests

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The URL that a response is kept for, as a digest: URLs may hold what should not be in the name of a file.
public struct CacheKey: Hashable, Sendable {
    /// The digest, 64 hexadecimal digits (SHA-256).
    public let name: String

    /// Makes the key of a URL.
    ///
    /// - Parameters:
    ///   - url: the URL, of which neither fragment nor user information count (RFC 9110 §7.1).
    ///   - unixSocketPath: the socket that the request goes to in place of the URL's host; `nil` by default.
    public init(_ url: URL, unixSocketPath: String? = nil) {
        self.init(text: (try? Destination(url)).map { Self.text($0) } ?? url.absoluteString, unixSocketPath)
    }

    /// Makes the key of a place: scheme, host and target as they are sent.
    package init(_ place: Destination, unixSocketPath: String?) { self.init(text: Self.text(place), unixSocketPath) }

    private init(text: String, _ unixSocketPath: String?) {
        self.name = Self.digest("\(unixSocketPath ?? "")\n\(text)")
    }

    /// Takes the name of a key that was made before.
    init(unchecked name: String) { self.name = name }

    /// The text of a URL as it is sent; with the zone of a link-local address, which means another server in each.
    private static func text(_ place: Destination) -> String {
        let text = "\(place.origin.scheme.rawValue)://\(place.hostField)\(place.target)"
        return place.origin.zone.map { "\(text)\n\($0)" } ?? text
    }

    /// The SHA-256 of a text, as hexadecimal digits.
    package static func digest(_ text: String) -> String { SHA256.hash(data: Array(text.utf8)).hexadecimal }
}

extension SHA256Digest {
    var hexadecimal: String { self.withUnsafeBytes { Hexadecimal.digits(of: $0) } }
}
