// SPDX-License-Identifier: Apache-2.0

/// Parses a body of type `multipart/form-data` (RFC 7578), with files as in `< ./photo.jpg`.
struct MultipartReader {
    private(set) var parts: [PartDefinition] = []
    private(set) var uses: [VariableUse] = []

    private let delimiter: [UInt8]

    /// Creates a reader for the value of the field `Content-Type`; `nil` if it is another type, or has no boundary.
    init?(_ type: String) {
        let pieces = type.split(separator: ";").map { Array($0.utf8)[...].trimmed.text }
        guard pieces.first?.lowercased() == "multipart/form-data" else { return nil }
        guard let piece = pieces.dropFirst().first(where: { $0.lowercased().hasPrefix("boundary=") }) else {
            return nil
        }
        var boundary = piece.dropFirst("boundary=".count)
        let isQuoted = boundary.count > 1 && boundary.hasPrefix("\"") && boundary.hasSuffix("\"")
        if isQuoted { boundary = boundary.dropFirst().dropLast() }
        guard !boundary.isEmpty else { return nil }
        self.delimiter = Array("--\(boundary)".utf8)
    }

    mutating func read(_ lines: ArraySlice<FileLine>) throws(Diagnostic) {
        var rest = lines
        while let line = rest.first, !self.isDelimiter(line) { rest.removeFirst() }
        guard let first = rest.first else {
            throw Diagnostic(.multipart, at: lines.first?.position ?? TextPosition(line: 1, column: 1))
        }
        while let line = rest.popFirst(), !self.isEnd(line) {
            guard self.parts.count < RequestFileLimits.maximumPartCount else {
                throw Diagnostic(.tooMany("parts"), at: line.position)
            }
            let end = rest.firstIndex(where: self.isDelimiter) ?? rest.endIndex
            if rest.startIndex < end { self.parts.append(try self.part(rest[..<end], after: line)) }
            rest = rest[end...]
        }
        guard !self.parts.isEmpty else { throw Diagnostic(.multipart, at: first.position) }
    }

    private func isDelimiter(_ line: FileLine) -> Bool {
        line.bytes.trimmed.elementsEqual(self.delimiter) || self.isEnd(line)
    }

    private func isEnd(_ line: FileLine) -> Bool {
        line.bytes.trimmed.elementsEqual(self.delimiter + Array("--".utf8))
    }

    private mutating func part(
        _ lines: ArraySlice<FileLine>,
        after delimiter: FileLine
    ) throws(Diagnostic) -> PartDefinition {
        var part = PartDefinition()
        var rest = lines
        while let line = rest.popFirst(), !line.isBlank { try self.readField(line.trimmed, &part) }
        guard !part.name.isEmpty else { throw Diagnostic(.multipart, at: delimiter.position) }
        rest = RequestReader.trimmed(rest)  // as in any other body
        if let first = rest.first, first.bytes.starts(with: "< ") {
            let path = first.bytes.dropFirst().trimmed
            // Variables have no meaning in a path, and the content of a part is one file or text.
            guard !path.isEmpty, !path.text.contains("{{"), rest.dropFirst().allSatisfy(\.isBlank) else {
                throw Diagnostic(.malformedFileBody, at: first.position)
            }
            part.content = .file(path.text)
        } else {
            part.content = try self.content(rest, of: part.contentType)
        }
        return part
    }

    /// Reads text with variables as a whole body of its type, so that the values can be escaped.
    private mutating func content(
        _ lines: ArraySlice<FileLine>,
        of field: String?
    ) throws(Diagnostic) -> PartDefinition.Content {
        let type = field.map { MediaText.mediaType(inContentType: $0) } ?? "text/plain"
        let (template, references) = try Template.read(TemplateScanner(lines, isLenient: true))
        guard let reference = references.first else { return .text(template) }
        if MediaText.isJSON(type) {
            let (json, uses) = try Template.readJSON(TemplateScanner(lines, isLenient: true))
            self.uses += uses
            return .json(json)
        }
        guard MediaText(type) != nil else { throw Diagnostic(.variableNotPossible, at: reference.position) }
        self.use(references)
        return .text(template)
    }

    private mutating func use(_ references: [VariableReference]) {
        self.uses += references.map { VariableUse(reference: $0, place: .form) }
    }

    /// Reads one of the two fields that have a meaning in a form (RFC 7578 §4.2, §4.4); throws for another field.
    private mutating func readField(_ line: FileLine, _ part: inout PartDefinition) throws(Diagnostic) {
        guard let colon = line.bytes.firstIndex(of: UInt8(ascii: ":")) else {
            throw Diagnostic(.malformedField, at: line.position)
        }
        let value = line.part(line.bytes[(colon + 1)...].trimmed)
        switch line.bytes[..<colon].text.lowercased() {
        case "content-type":
            guard !value.bytes.text.contains("{{") else { throw Diagnostic(.variableInType, at: value.position) }
            part.contentType = value.bytes.text
        case "content-disposition":
            for piece in Self.parameters(value) {
                if let text = piece.value(of: "name") { part.name = try self.template([text]) }
                if let text = piece.value(of: "filename") { part.filename = try self.template([text]) }
            }
        default: throw Diagnostic(.multipart, at: line.position)
        }
    }

    /// Splits a value at semicolons that are not in quotes.
    private static func parameters(_ line: FileLine) -> [FileLine] {
        var isQuoted = false
        let pieces = line.bytes.split(omittingEmptySubsequences: true) { byte in
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            return byte == UInt8(ascii: ";") && !isQuoted
        }
        return pieces.map { line.part($0.trimmed) }
    }

    private mutating func template(_ lines: ArraySlice<FileLine>) throws(Diagnostic) -> Template {
        let (template, references) = try Template.read(TemplateScanner(lines, isLenient: true))
        self.use(references)
        return template
    }
}

extension FileLine {
    fileprivate func value(of name: String) -> FileLine? {
        guard let equals = self.bytes.firstIndex(of: UInt8(ascii: "=")),
            self.bytes[..<equals].trimmed.text.lowercased() == name
        else { return nil }
        let value = self.bytes[(equals + 1)...].trimmed
        let isQuoted = value.count > 1 && value.first == UInt8(ascii: "\"") && value.last == UInt8(ascii: "\"")
        return self.part(isQuoted ? value.dropFirst().dropLast() : value)
    }
}
