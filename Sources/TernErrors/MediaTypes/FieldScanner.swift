// SPDX-License-Identifier: Apache-2.0

/// Scans the value of a field from left to right (RFC 9110 §5.6).
package struct FieldScanner {
    private let bytes: [UInt8]
    private var index = 0

    /// Creates a scanner; if the text is longer than the limit, every attempt to parse it fails.
    package init(_ text: String, maximumByteCount: Int) {
        self.bytes = text.utf8.count <= maximumByteCount ? Array(text.utf8) : [0]
        self.skipSpace()
    }

    package var isAtEnd: Bool { self.index == self.bytes.count }

    /// Parses `type/subtype`, or a media range such as `text/*`, followed by parameters (RFC 9110 §8.3.1).
    package mutating func mediaType() -> MediaType? {
        guard let type = self.token(), self.take("/"), let subtype = self.token() else { return nil }
        var parameters: [MediaType.Parameter] = []
        self.skipSpace()
        while self.take(";") {
            self.skipSpace()
            // "parameters = *( OWS ";" OWS [ parameter ] )": a semicolon may be followed by nothing (§5.6.6).
            if self.isAtEnd || self.isAt(";") || self.isAt(",") { continue }
            // "No whitespace is allowed around the "=" character" (§5.6.6).
            guard let name = self.token(), self.take("="), let value = self.value() else { return nil }
            let parameter = MediaType.Parameter(name: name.lowercased(), value: value)
            if !parameters.contains(where: { $0.name == parameter.name }) { parameters.append(parameter) }
            self.skipSpace()
        }
        return MediaType(type: type.lowercased(), subtype: subtype.lowercased(), parameters: parameters)
    }

    package mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard self.isAt(character) else { return false }
        self.index += 1
        return true
    }

    package mutating func skipSpace() {
        while self.isAt(" ") || self.isAt("\t") { self.index += 1 }
    }

    private func isAt(_ character: Unicode.Scalar) -> Bool {
        self.index < self.bytes.count && self.bytes[self.index] == UInt8(ascii: character)
    }

    private mutating func token() -> String? {
        let start = self.index
        while self.index < self.bytes.count, Self.isTokenByte(self.bytes[self.index]) { self.index += 1 }
        guard start < self.index else { return nil }
        return String(decoding: self.bytes[start..<self.index], as: UTF8.self)
    }

    private mutating func value() -> String? { self.isAt("\"") ? self.quoted() : self.token() }

    private mutating func quoted() -> String? {
        self.index += 1
        var value: [UInt8] = []
        while self.index < self.bytes.count {
            var byte = self.bytes[self.index]
            self.index += 1
            if byte == UInt8(ascii: "\"") { return String(decoding: value, as: UTF8.self) }
            if byte == UInt8(ascii: "\\") {
                guard self.index < self.bytes.count else { return nil }
                byte = self.bytes[self.index]
                self.index += 1
            }
            guard byte >= 0x20 && byte != 0x7F || byte == UInt8(ascii: "\t") else { return nil }
            value.append(byte)
        }
        return nil
    }

    static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }
}
