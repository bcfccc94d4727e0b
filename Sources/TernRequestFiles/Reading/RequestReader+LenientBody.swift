// SPDX-License-Identifier: Apache-2.0

extension RequestReader {
    /// Drops comments at the end of a body, but not of a text or multipart body with other lines, where they may be content.
    mutating func withoutComments(_ lines: ArraySlice<FileLine>) throws(Diagnostic) -> ArraySlice<FileLine> {
        guard let comment = lines.first(where: { $0.bytes.trimmed.isComment }) else { return lines }
        let type = (try? self.mediaType(at: comment.position)) ?? nil
        if let type, type.hasPrefix("text/") || type.hasPrefix("multipart/"),
            !lines.allSatisfy({ $0.isBlank || $0.bytes.trimmed.isComment })
        {
            return lines
        }
        var rest = lines
        while let last = rest.last, last.isBlank || last.bytes.trimmed.isComment { rest.removeLast() }
        guard rest.count < lines.count else { return lines }
        try self.tolerance.forgive(.commentInBody, at: comment.position)
        return rest
    }

    /// Leaves out comments; malformed JSON without variables stays unchanged, because a test of a server may mean it.
    mutating func readLenientJSON(_ lines: ArraySlice<FileLine>) throws(Diagnostic) {
        let before = self
        do throws(Diagnostic) {
            let code = lines.filter { !$0.bytes.trimmed.isComment }
            if code.count < lines.count, let comment = lines.first(where: { $0.bytes.trimmed.isComment }) {
                try self.tolerance.forgive(.commentInBody, at: comment.position)
            }
            try self.readJSON(code[...])
        } catch {
            self = before
            let (template, references) = try Template.read(TemplateScanner(lines, isLenient: true))
            guard references.isEmpty, error.rule == .malformedJSON || error.rule == .incompleteJSON else { throw error }
            try self.tolerance.forgive(.malformedJSON, at: error.position)
            self.request.body = .text(template)
        }
    }

    /// Reads a body without a media type as JSON, and returns `true`; `false` if the caller must read text.
    mutating func readUntyped(
        _ lines: ArraySlice<FileLine>,
        _ type: String?,
        at position: TextPosition
    ) throws(Diagnostic) -> Bool {
        guard let type else {
            guard let first = lines.first?.bytes.trimmed.first, "{[".utf8.contains(first) else {
                throw Diagnostic(.typeOfBodyNeeded, at: position)
            }
            let hasType = self.request.fields.contains { $0.isContentType }
            try self.tolerance.forgive(hasType ? .variableInType : .typeOfBodyNeeded, at: position)
            try self.readJSON(lines)
            return true
        }
        // The values are escaped for XML when they are sent; other text has no escapes.
        guard MediaText(type) != nil else { throw Diagnostic(.variableNotPossible, at: position) }
        return false
    }

    mutating func readMultipart(_ lines: ArraySlice<FileLine>, _ first: FileLine) throws(Diagnostic) {
        let type = self.request.fields.last { $0.isContentType }?.value.literal
        guard self.isLenient, let type else { throw Diagnostic(.multipart, at: first.position) }
        guard try self.mediaType(at: first.position) == "multipart/form-data" else { return try self.readParts(lines) }
        guard var reader = MultipartReader(type) else { throw Diagnostic(.multipart, at: first.position) }
        try reader.read(lines)
        self.request.uses += reader.uses
        self.request.body = .multipart(reader.parts)
    }

    /// Takes the parts of another type as they are written, such as the requests of a batch; a value could begin another part.
    private mutating func readParts(_ lines: ArraySlice<FileLine>) throws(Diagnostic) {
        let (template, references) = try Template.read(TemplateScanner(lines, isLenient: true))
        if let reference = references.first { throw Diagnostic(.variableNotPossible, at: reference.position) }
        // "The canonical form of any MIME "text" subtype MUST always represent a line break as a CRLF sequence" (RFC 2046 §4.1.1),
        // and so do delimiters.
        self.request.body = .text(
            template.mapText { $0.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\r\n") }
        )
    }
}
