// SPDX-License-Identifier: Apache-2.0

/// The content of the comments before a request: documentation, and directives such as `@name`.
struct Preamble {
    /// The content of the directive `@param`, which describes a parameter.
    struct Description {
        var name: String
        var type: TypeName?
        var defaultValue: Parameter.DefaultValue?
        var documentation: String?
        var position: TextPosition
    }

    var documentation: [String] = []
    var name: (name: String, position: TextPosition)?
    var access: (isPublic: Bool, position: TextPosition)?
    var result: (kind: RequestDefinition.ResultKind, position: TextPosition)?
    var finalEvent: (rule: RequestDefinition.FinalEventRule, position: TextPosition)?
    var reconnection: TextPosition?
    var descriptions: [Description] = []
    var followsRedirects = true
    var isDisabled = false
    /// The position of the first directive that belongs to a request.
    var firstDirective: TextPosition?
    var tolerance: Tolerance

    init(_ tolerance: Tolerance) { self.tolerance = tolerance }

    mutating func read(_ comment: FileLine) throws(Diagnostic) {
        let start = comment.bytes.trimmed
        let text = start.dropFirst(start.first == UInt8(ascii: "#") ? 1 : 2)
        let trimmed = text.trimmed
        guard trimmed.first == UInt8(ascii: "@") else {
            self.documentation.append(trimmed.text)
            return
        }
        var line = comment.part(trimmed)
        guard let word = line.takeWord() else { return }
        if !word.bytes.elementsEqual("@access".utf8) { self.firstDirective = self.firstDirective ?? word.position }
        try self.read(word, line.trimmed)
    }

    private mutating func read(_ directive: FileLine, _ rest: FileLine) throws(Diagnostic) {
        switch directive.bytes.text {
        case "@name":
            guard self.name == nil else { throw Diagnostic(.duplicateDirective("name"), at: directive.position) }
            if !rest.bytes.isName {
                // Other editors also allow spaces, for example.
                guard 1...RequestFileLimits.maximumNameByteCount ~= rest.bytes.count else {
                    throw Diagnostic(.malformedName, at: rest.position)
                }
                try self.tolerance.forgive(.malformedName, at: rest.position)
            }
            guard self.tolerance.isLenient || !Self.reservedNames.contains(rest.bytes.text) else {
                throw Diagnostic(.reservedName(rest.bytes.text), at: rest.position)
            }
            self.name = (rest.bytes.text, rest.position)
        case "@param":
            self.descriptions.append(try Self.description(rest))
        case "@returns":
            guard self.result == nil else { throw Diagnostic(.duplicateDirective("returns"), at: directive.position) }
            self.result = (try Self.result(rest), rest.position)
        case "@until":
            guard self.finalEvent == nil else { throw Diagnostic(.duplicateDirective("until"), at: directive.position) }
            self.finalEvent = (try Self.finalEvent(rest), directive.position)
        case "@reconnect":
            guard self.reconnection == nil else {
                throw Diagnostic(.duplicateDirective("reconnect"), at: directive.position)
            }
            guard rest.bytes.isEmpty else { throw Diagnostic(.malformedReconnect, at: rest.position) }
            self.reconnection = directive.position
        case "@access":
            guard ["public", "internal"].contains(rest.bytes.text), self.access == nil else {
                throw Diagnostic(.malformedAccess, at: directive.position)
            }
            self.access = (rest.bytes.text == "public", directive.position)
        case "@no-redirect", "@no-redirects":
            self.followsRedirects = false
        case "@no-log", "@note", "@prompt":
            return  // only for editors; the variable of `@prompt` is a parameter anyway
        case "@disabled" where self.tolerance.isLenient:
            self.isDisabled = true
        default:
            guard self.tolerance.isLenient else { throw Diagnostic(.unknownDirective, at: directive.position) }
            // `# @port = 443` is a variable that was turned into a comment.
            guard !directive.bytes.contains(UInt8(ascii: "=")), rest.bytes.first != UInt8(ascii: "=") else { return }
            let name = directive.bytes.prefix(RequestFileLimits.maximumNameByteCount).text
            self.tolerance.warn(.ignoredDirective(name), at: directive.position)
        }
    }

    /// Names that Swift does not allow, or that would hide names that the generated code needs.
    static let reservedNames: Set<String> = [
        "_", "self", "Self", "init", "Type", "Protocol", "client", "request", "options", "delegate", "file", "Request",
        "Data", "String", "Mirror", "description", "customMirror",
    ]
}

extension Preamble {
    /// Parses `id: Int = 1 the number of the photo`, of which only the name must be there.
    static func description(_ line: FileLine) throws(Diagnostic) -> Description {
        let name = line.bytes.prefix(while: \.isNameByte)
        guard name.isName else { throw Diagnostic(.malformedParameter, at: line.position) }
        guard !Self.reservedNames.contains(name.text) else {
            throw Diagnostic(.reservedName(name.text), at: line.position)
        }
        var description = Description(name: name.text, position: line.position)
        var rest = line.part(line.bytes[name.endIndex...])
        if let next = rest.bytes.first, !next.isBlank, next != UInt8(ascii: ":"), next != UInt8(ascii: "=") {
            throw Diagnostic(.malformedParameter, at: rest.position)
        }
        if rest.trimmed.bytes.first == UInt8(ascii: ":") {
            rest = rest.part(rest.trimmed.bytes.dropFirst()).trimmed
            let word = rest.bytes.prefix { !$0.isBlank && $0 != UInt8(ascii: "=") }
            guard let type = TypeName(word.text) else { throw Diagnostic(.malformedType, at: rest.position) }
            description.type = type
            rest = rest.part(rest.bytes[word.endIndex...])
        }
        if rest.trimmed.bytes.first == UInt8(ascii: "=") {
            rest = rest.part(rest.trimmed.bytes.dropFirst()).trimmed
            description.defaultValue = try Self.defaultValue(&rest, description.type ?? .string)
        }
        var text = rest.bytes.trimmed
        if text.starts(with: "- ") { text = text.dropFirst(2).trimmed }
        description.documentation = text.isEmpty ? nil : text.text
        return description
    }

    private static func defaultValue(
        _ rest: inout FileLine,
        _ type: TypeName
    ) throws(Diagnostic) -> Parameter.DefaultValue {
        let failure = Diagnostic(.malformedDefault, at: rest.position)
        if rest.bytes.first == UInt8(ascii: "\"") {
            guard type.scalar == .string else { throw failure }
            return .text(try Self.quotedText(&rest))
        }
        guard let word = rest.takeWord()?.bytes.text else { throw failure }
        if word == "nil", type.isOptional { return .null }
        switch type.scalar {
        case .string: return .text(word)
        case .bool where word == "true" || word == "false": return .bool(word == "true")
        case let scalar? where scalar.isNumber(word): return .number(word)
        default: throw failure
        }
    }

    private static func quotedText(_ rest: inout FileLine) throws(Diagnostic) -> String {
        let start = rest
        var bytes: [UInt8] = []
        var index = rest.bytes.startIndex + 1
        while index < rest.bytes.endIndex {
            switch rest.bytes[index] {
            case UInt8(ascii: "\""):
                rest = rest.part(rest.bytes[(index + 1)...])
                return bytes[...].text
            case UInt8(ascii: "\\") where index + 1 < rest.bytes.endIndex:
                index += 1
                bytes.append(rest.bytes[index])
            case let byte:
                bytes.append(byte)
            }
            index += 1
        }
        throw Diagnostic(.malformedDefault, at: start.position)
    }
}

extension TypeName.Scalar {
    /// Returns whether a word is a number of this type in decimal digits, so that it is a valid literal in Swift.
    func isNumber(_ word: String) -> Bool {
        let bytes = Array(word.utf8)
        guard bytes.allSatisfy({ $0.isDigit || "-.eE".utf8.contains($0) }), bytes.last?.isDigit == true else {
            return false
        }
        guard bytes.first.map({ $0.isDigit || $0 == UInt8(ascii: "-") }) == true else { return false }
        // `Double` also accepts "-.5" and "1.e3"; a literal needs digits on both sides of the point. Here, the point
        // cannot be the first or the last byte.
        let points = bytes.indices.filter { bytes[$0] == UInt8(ascii: ".") }
        guard points.allSatisfy({ bytes[$0 - 1].isDigit && bytes[$0 + 1].isDigit }) else { return false }
        return switch self {
        case .int: Int(word) != nil
        case .int32: Int32(word) != nil
        case .int64: Int64(word) != nil
        case .uint: UInt(word) != nil
        case .double: Double(word)?.isFinite == true
        case .string, .bool: false
        }
    }
}
