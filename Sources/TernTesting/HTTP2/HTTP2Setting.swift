// SPDX-License-Identifier: Apache-2.0

package struct HTTP2Setting: Hashable, Sendable {
    package var identifier: Int
    package var value: Int

    package init(identifier: Int, value: Int) { (self.identifier, self.value) = (identifier, value) }

    package static func maximumStreams(_ count: Int) -> Self { Self(identifier: 3, value: count) }
    package static func initialWindow(_ byteCount: Int) -> Self { Self(identifier: 4, value: byteCount) }
    /// RFC 8441 §3.
    package static let extendedConnect = Self(identifier: 8, value: 1)
}
