// SPDX-License-Identifier: Apache-2.0

extension RequestReader {
    /// Reads the fields up to an empty line, a script, a body without an empty line before it, or the end of the request.
    mutating func readFields(_ rest: inout ArraySlice<FileLine>) throws(Diagnostic) {
        while let line = rest.first, !line.isBlank {
            let start = line.bytes.trimmed
            // A body from a file, or a script, may follow without an empty line.
            if start.first == UInt8(ascii: ">") || start.first == UInt8(ascii: "<") { return }
            if let field = self.field(inVariable: start) {
                rest.removeFirst()
                try self.readCounted(FileLine(number: line.number, bytes: field))
                continue
            }
            if self.isLenient, let first = start.first, "{[".utf8.contains(first) {
                // These characters cannot begin a field.
                return try self.tolerance.forgive(.bodyWithoutEmptyLine, at: line.position)
            }
            rest.removeFirst()
            if start.isComment {
                try self.readComment(line)
                continue
            }
            try self.readCounted(line.part(start))
        }
    }

    private mutating func readCounted(_ line: FileLine) throws(Diagnostic) {
        guard self.fieldLineCount < RequestFileLimits.maximumFieldCount else {
            throw Diagnostic(.tooMany("fields"), at: line.position)
        }
        self.fieldLineCount += 1
        try self.readField(line)
    }

    /// Returns the value of a variable that is alone on a line, if the value is a field, such as `Authorization: Bearer x`.
    private func field(inVariable line: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard self.isLenient, line.count > 4, line.starts(with: "{{"), line.suffix(2).elementsEqual("}}".utf8),
            let value = self.variables.value(of: line.dropFirst(2).dropLast(2).trimmed.text)
        else { return nil }
        let bytes = Array(value.utf8)[...]
        let name = bytes.prefix(while: \.isTokenByte)
        let rest = bytes[name.endIndex...]
        // Without a blank after the colon, it may be a URL.
        return !name.isEmpty && rest.starts(with: ": ") ? bytes : nil
    }

    /// Reads a comment between the fields, which must not be a directive.
    private mutating func readComment(_ line: FileLine) throws(Diagnostic) {
        let comment = line.bytes.trimmed.drop { "#/ \t".utf8.contains($0) }
        guard comment.first == UInt8(ascii: "@") else { return }
        // Refuse a directive here: it would have no effect, although its author expects one.
        let position = line.position(of: comment.startIndex)
        let isRedirect = comment.starts(with: "@no-redirect")
        guard self.isLenient, !isRedirect else { throw Diagnostic(.misplacedDirective, at: position) }
        try self.tolerance.forgive(.misplacedDirective, at: position)
    }

    private mutating func readField(_ line: FileLine) throws(Diagnostic) {
        let colon = line.bytes.firstIndex(of: UInt8(ascii: ":")) ?? line.bytes.startIndex
        let nameBytes = line.bytes[..<colon].trimmed
        guard !nameBytes.isEmpty, nameBytes.allSatisfy(\.isTokenByte) else {
            throw Diagnostic(.malformedField, at: line.position)
        }
        // "No whitespace is allowed between the field name and colon" (RFC 9112 §5.1).
        if nameBytes.count < colon - line.bytes.startIndex {
            try self.tolerance.forgive(.blankBeforeColon, at: line.position(of: nameBytes.endIndex))
        }
        let name = nameBytes.text
        // "A sender MUST NOT send a Content-Length header field in any message that contains a Transfer-Encoding header
        // field" (RFC 9112 §6.2): the client decides how a message ends.
        if name.lowercased() == "content-length" {
            return try self.tolerance.forgive(.framingField, at: line.position)
        }
        guard name.lowercased() != "transfer-encoding" else { throw Diagnostic(.framingField, at: line.position) }
        let valueLine = line.part(line.bytes[(colon + 1)...].trimmed)
        let scanner = TemplateScanner(valueLine, isLenient: self.isLenient)
        let (value, references) = try Template.read(scanner)
        if name.lowercased() == "x-request-type", value.literal?.lowercased() == "graphql" {
            guard self.isLenient else { throw Diagnostic(.graphQL, at: line.position) }
            self.isGraphQL = true
            return
        }
        for reference in references { self.use(reference, as: .field) }
        if name.lowercased() == "authorization", Self.isForEditors(value) {
            return try self.readAuthorization(value, at: valueLine.position)
        }
        try self.add(FieldDefinition(name: name, value: value), at: line.position)
    }

    func known(_ name: String) -> Int? {
        self.request.fields.firstIndex { $0.name.lowercased() == name.lowercased() }
    }

    mutating func add(_ field: FieldDefinition, at position: TextPosition) throws(Diagnostic) {
        guard let index = self.known(field.name) else { return self.request.fields.append(field) }
        // "A recipient MAY combine multiple field lines within a field section that have the same field name into one
        // field line, without changing the semantics of the message, by appending each subsequent field line value to
        // the initial field line value in order, separated by a comma" (RFC 9110 §5.3), and cookies by a semicolon
        // (RFC 6265 §5.4). A second value of these fields would be a contradiction.
        let single = ["content-type", "authorization", "host", "user-agent", "referer", "origin", "range", "if-range"]
        guard !single.contains(field.name.lowercased()) else { throw Diagnostic(.duplicateField, at: position) }
        try self.tolerance.forgive(.duplicateField, at: position)
        var value = self.request.fields[index].value
        value.append(field.name.lowercased() == "cookie" ? "; " : ", ")
        for piece in field.value.pieces {
            switch piece {
            case .text(let text): value.append(text)
            case .variable(let name): value.append(variable: name)
            }
        }
        self.request.fields[index] = FieldDefinition(name: self.request.fields[index].name, value: value)
    }

    /// Returns whether editors would encode the value: `Basic name password`, and every value that begins with `Digest`.
    private static func isForEditors(_ value: Template) -> Bool {
        guard case .text(let text)? = value.pieces.first else { return false }
        let scheme = text.prefix { $0 != " " }.lowercased()
        guard scheme == "basic" else { return scheme == "digest" }
        return value.pieces.dropFirst().contains { $0.hasBlankOrColon }
            || text.dropFirst(6).contains { " :".contains($0) }
    }

    /// Returns the media type without parameters and in lower case; only a lenient reader allows variables.
    mutating func mediaType(at position: TextPosition) throws(Diagnostic) -> String? {
        guard let index = self.request.fields.lastIndex(where: { $0.isContentType }) else { return nil }
        if self.isLenient {
            self.request.fields[index].value = self.variables.inserted(in: self.request.fields[index].value)
        }
        let value = self.request.fields[index].value
        let beginning: String
        switch value.pieces.first {
        case .variable? where self.isLenient: return nil
        case .text(let text)? where value.literal != nil || self.isLenient && text.contains(";"): beginning = text
        default: throw Diagnostic(.variableInType, at: position)
        }
        let essence = beginning.lowercased().prefix { $0 != ";" }
        return Array(essence.utf8)[...].trimmed.text
    }
}

extension Template.Piece {
    fileprivate var hasBlankOrColon: Bool {
        if case .text(let text) = self { text.contains { " :".contains($0) } } else { false }
    }
}
