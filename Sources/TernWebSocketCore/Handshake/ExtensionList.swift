// SPDX-License-Identifier: Apache-2.0

struct ExtensionList {
    struct Element: Hashable {
        var name: String
        var parameters: [Parameter] = []
    }

    struct Parameter: Hashable {
        var name: String
        var value: String?
    }

    private(set) var elements: [Element] = []

    private var bytes: ArraySlice<UInt8>

    /// Parses a list, whose elements may be empty, but not all (RFC 9110 §5.6.1.2).
    init?(_ text: String) {
        self.bytes = Array(text.utf8)[...]
        repeat {
            self.skipBlanks()
            guard !self.bytes.isEmpty, self.bytes.first != UInt8(ascii: ",") else { continue }
            guard let element = self.readElement() else { return nil }
            self.elements.append(element)
        } while self.take(UInt8(ascii: ","))
        guard self.bytes.isEmpty, !self.elements.isEmpty else { return nil }
    }

    private mutating func readElement() -> Element? {
        guard let name = self.readToken() else { return nil }
        var element = Element(name: name)
        self.skipBlanks()
        while self.take(UInt8(ascii: ";")) {
            self.skipBlanks()
            guard let parameter = self.readParameter() else { return nil }
            element.parameters.append(parameter)
            self.skipBlanks()
        }
        return element
    }

    private mutating func readParameter() -> Parameter? {
        guard let name = self.readToken() else { return nil }
        self.skipBlanks()
        guard self.take(UInt8(ascii: "=")) else { return Parameter(name: name, value: nil) }
        self.skipBlanks()
        let value = self.bytes.first == UInt8(ascii: "\"") ? self.readQuotedToken() : self.readToken()
        guard let value else { return nil }
        return Parameter(name: name, value: value)
    }

    private mutating func readToken() -> String? {
        let token = self.bytes.prefix(while: Token.isAllowed)
        guard !token.isEmpty else { return nil }
        self.bytes = self.bytes.dropFirst(token.count)
        return String(decoding: token, as: UTF8.self)
    }

    /// Returns a value without quotes and escapes; `nil` if that is not a token, as RFC 6455 §9.1 requires.
    private mutating func readQuotedToken() -> String? {
        var value: [UInt8] = []
        self.bytes = self.bytes.dropFirst()
        while var byte = self.bytes.popFirst() {
            if byte == UInt8(ascii: "\"") { return value.isEmpty ? nil : String(decoding: value, as: UTF8.self) }
            if byte == UInt8(ascii: "\\") {
                guard let next = self.bytes.popFirst() else { return nil }
                byte = next
            }
            guard Token.isAllowed(byte) else { return nil }
            value.append(byte)
        }
        return nil
    }

    private mutating func skipBlanks() {
        while let byte = self.bytes.first, Token.isBlank(byte) { self.bytes = self.bytes.dropFirst() }
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard self.bytes.first == byte else { return false }
        self.bytes = self.bytes.dropFirst()
        return true
    }
}

enum Token {
    static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "!"), UInt8(ascii: "#")...UInt8(ascii: "'"): true
        case UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."): true
        case UInt8(ascii: "^")...UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"): true
        default: false
        }
    }

    static func isToken(_ text: some StringProtocol) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy(Self.isAllowed)
    }

    static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }

    static func trimmed(_ text: some StringProtocol) -> String {
        var bytes = Array(text.utf8)[...]
        while let byte = bytes.first, Self.isBlank(byte) { bytes.removeFirst() }
        while let byte = bytes.last, Self.isBlank(byte) { bytes.removeLast() }
        return String(decoding: bytes, as: UTF8.self)
    }

    static func matches(_ text: some StringProtocol, _ lowercased: StaticString) -> Bool {
        let expected = UnsafeBufferPointer(start: lowercased.utf8Start, count: lowercased.utf8CodeUnitCount)
        return text.utf8.lazy
            .map { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 ? $0 | 0x20 : $0 }
            .elementsEqual(expected)
    }
}
