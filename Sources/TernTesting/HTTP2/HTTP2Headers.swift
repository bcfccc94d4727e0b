// SPDX-License-Identifier: Apache-2.0

/// A field, or a pseudo-header field such as `:path` (RFC 9113 §8.3).
package struct HTTP2Line: Hashable, Sendable {
    package var name: String
    package var value: String { String(decoding: self.bytes, as: UTF8.self) }
    package var bytes: [UInt8]

    package init(_ name: String, _ value: String) { (self.name, self.bytes) = (name, Array(value.utf8)) }

    package init(text: ArraySlice<UInt8>) {
        let end = text.dropFirst().firstIndex(of: UInt8(ascii: ":")) ?? text.endIndex
        self.name = String(decoding: text[..<end], as: UTF8.self)
        self.bytes = Array(text[end...].dropFirst())
    }
}

package struct HTTP2Headers: Hashable, Sendable {
    package var stream: Int
    package var lines: [HTTP2Line]
    package var endsStream: Bool

    package subscript(_ name: String) -> String? { self.lines.first { $0.name == name }?.value }
    package var isRequest: Bool { self[":method"] != nil }
    package var path: String { self[":path"] ?? "" }
}
