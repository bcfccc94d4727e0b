// SPDX-License-Identifier: Apache-2.0

extension RequestReader {
    /// Reads the fields, and leaves the rest of the request in `rest`.
    ///
    /// The fields end before an empty line, before a script, before a body from a file, or at the end of the request.
    mutating func readFields(_ rest: inout ArraySlice<FileLine>) throws(Diagnostic) {
        while let line = rest.first, !line.isBlank {
            let start = line.bytes.trimmed
            // A body from a file, or a script, may follow without an empty line.
            if start.first == UInt8(ascii: ">") || start.first == UInt8(ascii: "<") { return }
            rest.removeFirst()
            if start.isComment {
                let comment = start.drop { "#/ \t".utf8.contains($0) }
                // Refuse a directive here: it would have no effect, although its author expects one.
                guard comment.first != UInt8(ascii: "@") else {
                    throw Diagnostic(.misplacedDirective, at: line.position(of: comment.startIndex))
                }
                continue
            }
            guard self.request.fields.count < RequestFileLimits.maximumFieldCount else {
                throw Diagnostic(.tooMany("fields"), at: line.position)
            }
            try self.readField(line.part(start))
        }
    }

    private mutating func readField(_ line: FileLine) throws(Diagnostic) {
        guard let colon = line.bytes.firstIndex(of: UInt8(ascii: ":")), colon > line.bytes.startIndex,
            line.bytes[..<colon].allSatisfy(\.isTokenByte)
        else { throw Diagnostic(.malformedField, at: line.position) }
        let name = line.bytes[..<colon].text
        // "A sender MUST NOT send a Content-Length header field in any message that contains a Transfer-Encoding header
        // field" (RFC 9112 §6.2): the client decides how a message ends.
        guard !["content-length", "transfer-encoding"].contains(name.lowercased()) else {
            throw Diagnostic(.framingField, at: line.position)
        }
        guard !self.request.fields.contains(where: { $0.name.lowercased() == name.lowercased() }) else {
            throw Diagnostic(.duplicateField, at: line.position)
        }
        let valueLine = line.part(line.bytes[(colon + 1)...].trimmed)
        let (value, references) = try Template.read(TemplateScanner(valueLine))
        if name.lowercased() == "authorization", Self.isForEditors(value) {
            throw Diagnostic(.editorAuthorization, at: valueLine.position)
        }
        for reference in references { self.use(reference, as: .field) }
        self.request.fields.append(FieldDefinition(name: name, value: value))
    }

    /// Returns whether editors would encode the value of `Authorization`, as they do for `Basic name password` and for
    /// every value that begins with `Digest`.
    private static func isForEditors(_ value: Template) -> Bool {
        guard case .text(let text)? = value.pieces.first else { return false }
        let scheme = text.prefix { $0 != " " }.lowercased()
        guard scheme == "basic" else { return scheme == "digest" }
        return value.pieces.dropFirst().contains { $0.hasBlankOrColon }
            || text.dropFirst(6).contains { " :".contains($0) }
    }

    /// Returns the media type of the body, without parameters and in lower case; `nil` if no field contains it.
    ///
    /// - Throws: `Diagnostic` if the media type contains variables.
    func mediaType(at position: TextPosition) throws(Diagnostic) -> String? {
        guard let field = self.request.fields.last(where: { $0.isContentType }) else { return nil }
        guard let literal = field.value.literal else { throw Diagnostic(.variableInType, at: position) }
        let essence = literal.lowercased().prefix { $0 != ";" }
        return Array(essence.utf8)[...].trimmed.text
    }
}

extension Template.Piece {
    fileprivate var hasBlankOrColon: Bool {
        if case .text(let text) = self { text.contains { " :".contains($0) } } else { false }
    }
}
