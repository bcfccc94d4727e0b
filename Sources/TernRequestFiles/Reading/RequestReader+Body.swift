// SPDX-License-Identifier: Apache-2.0

extension RequestReader {
    /// Reads all lines after the empty line that ends the fields.
    mutating func readBody(_ rest: ArraySlice<FileLine>) throws(Diagnostic) {
        var lines = Self.trimmed(rest)
        if self.isLenient { lines = try self.withoutComments(lines) }
        guard let first = lines.first else { return }
        // "A client MUST NOT send content in a TRACE request" (RFC 9110 §9.3.8); in GET and HEAD it "has no generally
        // defined semantics" (§9.3.1, §9.3.2).
        if ["GET", "HEAD"].contains(self.request.method) {
            try self.tolerance.forgive(.bodyNotAllowed, at: first.position)
        } else if ["TRACE", "WEBSOCKET"].contains(self.request.method) {
            throw Diagnostic(.bodyNotAllowed, at: first.position)
        }
        if self.isGraphQL {
            try self.readGraphQL(lines)
        } else {
            try self.readContent(lines, first)
        }
        guard let index = self.request.fields.firstIndex(where: \.isContentType) else { return }
        guard let literal = self.request.fields[index].value.literal else { return }
        self.request.contentType = literal
        self.request.fields.remove(at: index)
    }

    static func trimmed(_ lines: ArraySlice<FileLine>) -> ArraySlice<FileLine> {
        var lines = lines.drop(while: \.isBlank)
        while lines.last?.isBlank == true { lines.removeLast() }
        return lines
    }

    private mutating func readContent(_ lines: ArraySlice<FileLine>, _ first: FileLine) throws(Diagnostic) {
        let afterSign = first.bytes.first == UInt8(ascii: "<") ? first.bytes.dropFirst() : nil
        // `<` names a file if a blank, an `@` or the end of the line follows it; otherwise, it begins XML.
        if let afterSign, afterSign.first.map({ $0.isBlank || $0 == UInt8(ascii: "@") }) ?? true {
            self.request.body = .file(try self.path(lines))
            return
        }
        let type = try self.mediaType(at: first.position)
        switch type {
        case "application/x-www-form-urlencoded":
            var reader = FormReader()
            try reader.read(lines, isLenient: self.isLenient)
            self.request.uses += reader.uses
            self.request.body = .form(reader.items)
        case let type? where MediaText.isJSON(type):
            if self.isLenient { try self.readLenientJSON(lines) } else { try self.readJSON(lines) }
        case let type? where type.hasPrefix("multipart/"):
            try self.readMultipart(lines, first)
        default:
            try self.readText(lines, type)
        }
    }

    mutating func readJSON(_ lines: ArraySlice<FileLine>) throws(Diagnostic) {
        let (template, uses) = try Template.readJSON(TemplateScanner(lines, isLenient: self.isLenient))
        self.request.uses += uses
        self.request.body = .json(template)
    }

    /// Reads any other text; for a strict reader, only plain text has variables, because in XML the escaping depends on the place.
    private mutating func readText(_ lines: ArraySlice<FileLine>, _ type: String?) throws(Diagnostic) {
        let (template, references) = try Template.read(TemplateScanner(lines, isLenient: self.isLenient))
        if let reference = references.first, type != "text/plain" {
            guard self.isLenient else {
                throw Diagnostic(type == nil ? .typeOfBodyNeeded : .variableNotPossible, at: reference.position)
            }
            if try self.readUntyped(lines, type, at: reference.position) { return }
        }
        for reference in references { self.use(reference, as: .text) }
        self.request.body = .text(template)
    }

    private mutating func path(_ lines: ArraySlice<FileLine>) throws(Diagnostic) -> String {
        guard let line = lines.first else { return "" }
        var path = line.bytes.dropFirst().trimmed
        if self.isLenient, line.bytes.starts(with: "<@ ") {
            path = line.bytes.dropFirst(2).trimmed
            self.request.sendsFileWithVariables = true
        }
        // Refuse `<@`. It stands for a file in which variables are replaced, but their places, and so their escaping,
        // are unknown.
        guard lines.count == 1, !path.isEmpty, path.first != UInt8(ascii: "@"), !path.text.contains("{{") else {
            throw Diagnostic(.malformedFileBody, at: (lines.dropFirst().first { !$0.isBlank } ?? line).position)
        }
        return path.text
    }
}
