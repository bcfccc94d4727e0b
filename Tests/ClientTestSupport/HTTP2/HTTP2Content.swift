// SPDX-License-Identifier: Apache-2.0
package import TernTesting

/// The part that follows the head of a request.
package struct HTTP2Content: Hashable, Sendable {
    package var bytes: [UInt8] = []
    package var trailers: [HTTP2Line] = []

    package var text: String { String(decoding: self.bytes, as: UTF8.self) }
}
