// SPDX-License-Identifier: Apache-2.0

/// What the comments before a request say.
struct Preamble {
    /// What `@param` says.
    struct Description {
        var name: String
        var type: TypeName?
        var defaultValue: Parameter.DefaultValue?
        var documentation: String?
        var position: TextPosition
    }

    /// What people read; a line each.
    var documentation: [String] = []
    var name: (name: String, position: TextPosition)?
    var access: (isPublic: Bool, position: TextPosition)?
    var result: (kind: RequestDefinition.ResultKind, position: TextPosition)?
    var descriptions: [Description] = []
    var followsRedirects = true
    /// Where the first directive is that belongs to a request.
    var firstDirective: TextPosition?

    /// Reads a comment.
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
            guard rest.bytes.isName else { throw Diagnostic(.malformedName, at: rest.position) }
            guard !Self.reservedNames.contains(rest.bytes.text) else {
                throw Diagnostic(.reservedName(rest.bytes.text), at: rest.position)
            }
            self.name = (rest.bytes.text, rest.position)
        case "@param":
            self.descriptions.append(try Self.description(rest))
        case "@returns":
            guard self.result == nil else { throw Diagnostic(.duplicateDirective("returns"), at: directive.position) }
            self.result = (try Self.result(rest), rest.position)
        case "@access":
            guard ["public", "internal"].contains(rest.bytes.text), self.access == nil else {
                throw Diagnostic(.malformedAccess, at: directive.position)
            }
            self.access = (rest.bytes.text == "public", directive.position)
        case "@no-redirect", "@no-redirects":
            self.followsRedirects = false
        case "@no-log", "@note", "@prompt":
            return  // for editors: what is prompted for is a parameter by itself
        default:
            throw Diagnostic(.unknownDirective, at: directive.position)
        }
    }

    /// Names that would hide what the generated code needs, or that Swift does not allow.
    static let reservedNames: Set<String> = [
        "_", "self", "Self", "init", "Type", "Protocol", "client", "request", "options", "delegate", "file", "Request",
        "Data", "String", "Mirror", "description", "customMirror",
    ]

    private static func result(_ rest: FileLine) throws(Diagnostic) -> RequestDefinition.ResultKind {
        switch rest.bytes.text {
        case "Data": return .data
        case "Void": return .void
        case "Lines": return .lines
        case "WebSocket": return .webSocket
        case let text:
            guard let type = TypeName(text) else { throw Diagnostic(.malformedType, at: rest.position) }
            return .value(type)
        }
    }
}
