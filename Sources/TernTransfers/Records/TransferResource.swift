// SPDX-License-Identifier: Apache-2.0
package import TernRequests

/// The resource of a transfer: the origin and the path of its URL.
///
/// It contains no query, user name, password or fragment, because a URL may be signed.
package struct TransferResource: Hashable, Sendable {
    /// The maximum length of each part, in bytes.
    package static let maximumByteCount = 2048

    /// The scheme, host and port, such as `https://example.com:443`.
    package let origin: String
    /// The path.
    package let path: String

    /// Creates a resource from the destination of a request.
    package init(_ destination: Destination) {
        self.init(origin: destination.origin.description, path: String(destination.path))
    }

    /// Creates a resource from parts.
    ///
    /// Cuts off the end of a part that is longer than ``maximumByteCount``.
    ///
    /// - Parameters:
    ///   - origin: The scheme, host and port.
    ///   - path: The path.
    package init(origin: String, path: String) {
        self.origin = Self.cut(origin)
        self.path = Self.cut(path)
    }

    private static func cut(_ text: String) -> String {
        var byteCount = 0
        return String(
            text.unicodeScalars.prefix { scalar in
                byteCount += UTF8.width(scalar)
                return byteCount <= Self.maximumByteCount
            }
        )
    }
}
