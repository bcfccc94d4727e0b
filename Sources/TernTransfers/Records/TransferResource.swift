// SPDX-License-Identifier: Apache-2.0
package import TernRequests

/// The origin and the path of a transfer's URL; no query, user name, password or fragment, because a URL may be signed.
package struct TransferResource: Hashable, Sendable {
    /// The maximum length of each part, in bytes.
    package static let maximumByteCount = 2048

    /// The scheme, host and port, such as `https://example.com:443`.
    package let origin: String
    package let path: String

    package init(_ destination: Destination) {
        self.init(origin: destination.origin.description, path: String(destination.path))
    }

    /// Cuts off the end of a part that is longer than ``maximumByteCount``.
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
