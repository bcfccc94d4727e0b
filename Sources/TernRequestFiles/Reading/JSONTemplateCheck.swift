// SPDX-License-Identifier: Apache-2.0

/// Checks JSON that contains variables (RFC 8259), symbol by symbol, and determines the places of the variables.
struct JSONTemplateCheck {
    private(set) var uses: [VariableUse] = []

    private enum State {
        /// A value must follow, or, if `orEnd`, the end of the list that has just begun.
        case value(orEnd: Bool)
        /// A key must follow, or, if `orEnd`, the end of the object that has just begun.
        case key(orEnd: Bool)
        case colon
        /// A comma or the end of the list or object must follow; at the top level, the end of the text.
        case afterValue
        case string(isKey: Bool)
        case escape(isKey: Bool)
        /// This many digits of `\u` must follow.
        case digits(Int, isKey: Bool)
        /// Inside a word, which must be a number, `true`, `false` or `null`.
        case word
    }

    private enum Container { case object, list }

    private var state = State.value(orEnd: false)
    private var containers: [Container] = []
    private var word: [UInt8] = []

    mutating func take(_ symbol: TemplateScanner.Symbol, at position: TextPosition) throws(Diagnostic) {
        switch symbol {
        case .byte(let byte):
            guard self.take(byte) else { throw Diagnostic(.malformedJSON, at: position) }
            if self.containers.count > RequestFileLimits.maximumJSONDepth {
                throw Diagnostic(.tooMany("levels of JSON"), at: position)
            }
        case .variable(let reference):
            switch self.state {
            case .value:
                self.uses.append(VariableUse(reference: reference, place: .jsonValue))
                self.state = .afterValue
            case .string:
                self.uses.append(VariableUse(reference: reference, place: .jsonString))
            case .key: throw Diagnostic(.variableAsKey(reference.name), at: position)
            default: throw Diagnostic(.malformedJSON, at: position)
            }
        }
    }

    mutating func finish(at position: TextPosition) throws(Diagnostic) {
        if case .word = self.state, !self.endWord() { throw Diagnostic(.malformedJSON, at: position) }
        guard case .afterValue = self.state, self.containers.isEmpty else {
            throw Diagnostic(.incompleteJSON, at: position)
        }
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        switch self.state {
        case .string(let isKey): return self.takeInString(byte, isKey)
        case .escape(let isKey):
            self.state = byte == UInt8(ascii: "u") ? .digits(4, isKey: isKey) : .string(isKey: isKey)
            return "\"\\/bfnrtu".utf8.contains(byte)
        case .digits(let count, let isKey):
            self.state = count == 1 ? .string(isKey: isKey) : .digits(count - 1, isKey: isKey)
            return byte.isHexDigit
        case .word:
            if byte.isNameByte || "+-.".utf8.contains(byte) {
                self.word.append(byte)
                return self.word.count <= 64
            }
            return self.endWord() && self.take(byte)
        case .value, .key, .colon, .afterValue:
            return byte.isBlank || byte == 0x0A || self.takeToken(byte)
        }
    }

    private mutating func takeInString(_ byte: UInt8, _ isKey: Bool) -> Bool {
        switch byte {
        case UInt8(ascii: "\""): self.state = isKey ? .colon : .afterValue
        case UInt8(ascii: "\\"): self.state = .escape(isKey: isKey)
        default: return byte >= 0x20  // "control characters (U+0000 through U+001F)" must be escaped (RFC 8259 §7)
        }
        return true
    }

    private mutating func takeToken(_ byte: UInt8) -> Bool {
        switch (self.state, byte) {
        case (.value, UInt8(ascii: "{")): self.begin(.object, .key(orEnd: true))
        case (.value, UInt8(ascii: "[")): self.begin(.list, .value(orEnd: true))
        case (.value, UInt8(ascii: "\"")): self.state = .string(isKey: false)
        case (.value(orEnd: true), UInt8(ascii: "]")), (.afterValue, UInt8(ascii: "]")): return self.end(.list)
        case (.value, _):
            guard byte.isNameByte || byte == UInt8(ascii: "-") else { return false }
            (self.word, self.state) = ([byte], .word)
        case (.key, UInt8(ascii: "\"")): self.state = .string(isKey: true)
        case (.key(orEnd: true), UInt8(ascii: "}")), (.afterValue, UInt8(ascii: "}")): return self.end(.object)
        case (.colon, UInt8(ascii: ":")): self.state = .value(orEnd: false)
        case (.afterValue, UInt8(ascii: ",")):
            guard let container = self.containers.last else { return false }
            self.state = container == .list ? .value(orEnd: false) : .key(orEnd: false)
        default: return false
        }
        return true
    }

    private mutating func begin(_ container: Container, _ state: State) {
        self.containers.append(container)
        self.state = state
    }

    private mutating func end(_ container: Container) -> Bool {
        self.state = .afterValue
        return self.containers.popLast() == container
    }

    /// Returns whether the word is a number, "[ minus ] int [ frac ] [ exp ]" (RFC 8259 §6), or `true`, `false` or `null`.
    private mutating func endWord() -> Bool {
        self.state = .afterValue
        let word = self.word[...].text
        if ["true", "false", "null"].contains(word) { return true }
        var rest = self.word[...]
        if rest.first == UInt8(ascii: "-") { rest.removeFirst() }
        if rest.first == UInt8(ascii: "0") {
            rest.removeFirst()
        } else {
            guard Self.dropDigits(&rest) else { return false }
        }
        if rest.first == UInt8(ascii: ".") {
            rest.removeFirst()
            guard Self.dropDigits(&rest) else { return false }
        }
        if rest.first.map({ $0 | 0x20 }) == UInt8(ascii: "e") {
            rest.removeFirst()
            if let sign = rest.first, "+-".utf8.contains(sign) { rest.removeFirst() }
            guard Self.dropDigits(&rest) else { return false }
        }
        return rest.isEmpty
    }

    private static func dropDigits(_ rest: inout ArraySlice<UInt8>) -> Bool {
        let count = rest.count
        rest = rest.drop(while: \.isDigit)
        return rest.count < count
    }
}

extension Template {
    static func readJSON(_ scanner: TemplateScanner) throws(Diagnostic) -> (Template, [VariableUse]) {
        var scanner = scanner
        var check = JSONTemplateCheck()
        var builder = TemplateBuilder()
        while let symbol = try scanner.next() {
            try check.take(symbol, at: scanner.position)
            builder.append(symbol)
        }
        try check.finish(at: scanner.position)
        return (builder.finish(), check.uses)
    }
}
