// SPDX-License-Identifier: Apache-2.0

/// Parses the value of one `Cache-Control` line: a list of `token [ "=" ( token / quoted-string ) ]` (RFC 9111 §5.2).
struct DirectiveParser {
    /// The name is in lower case, and the argument without quotes.
    struct Directive: Equatable {
        var name: String
        var argument: String?
    }

    private let bytes: [UInt8]
    private var position = 0
    private(set) var isMalformed = false

    init(_ value: String) { self.bytes = Array(value.utf8) }

    /// "A recipient MUST parse and ignore a reasonable number of empty list elements" (RFC 9110 §5.6.1.2).
    mutating func next() -> Directive? {
        while true {
            self.skip { $0 == 0x2C || $0 == 0x20 || $0 == 0x09 }
            guard self.position < self.bytes.count else { return nil }
            if let directive = self.directive() { return directive }
            self.isMalformed = true
            // Skip the malformed directive up to the next comma. This is safe: the cache does not store a response with
            // a malformed directive. If a request has one, the cache asks the server, unless the policy prefers stored
            // responses.
            self.skip { $0 != 0x2C }
        }
    }

    private mutating func directive() -> Directive? {
        guard let name = self.token() else { return nil }
        var argument: String?
        if self.position < self.bytes.count, self.bytes[self.position] == 0x3D {
            self.position += 1
            // "For the directives defined below that define arguments, recipients ought to accept both forms"
            // (RFC 9111 §5.2).
            guard let found = self.quoted() ?? self.token() else { return nil }
            argument = found
        }
        self.skip { $0 == 0x20 || $0 == 0x09 }
        guard self.position == self.bytes.count || self.bytes[self.position] == 0x2C else { return nil }
        return Directive(name: name.lowercased(), argument: argument)
    }

    private mutating func token() -> String? {
        let start = self.position
        self.skip { Self.isToken($0) }
        guard self.position > start else { return nil }
        return String(decoding: self.bytes[start..<self.position], as: UTF8.self)
    }

    /// Reads nothing if there is no opening or no closing quote.
    private mutating func quoted() -> String? {
        guard self.position < self.bytes.count, self.bytes[self.position] == 0x22 else { return nil }
        var text: [UInt8] = []
        var index = self.position + 1
        while index < self.bytes.count {
            switch self.bytes[index] {
            case 0x22:
                self.position = index + 1
                return String(decoding: text, as: UTF8.self)
            case 0x5C where index + 1 < self.bytes.count:
                index += 1
                text.append(self.bytes[index])
            default:
                text.append(self.bytes[index])
            }
            index += 1
        }
        return nil
    }

    private mutating func skip(while condition: (UInt8) -> Bool) {
        while self.position < self.bytes.count, condition(self.bytes[self.position]) { self.position += 1 }
    }

    private static func isToken(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        case 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2D, 0x2E, 0x5E...0x60, 0x7C, 0x7E: true
        default: false
        }
    }
}
