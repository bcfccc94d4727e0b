// SPDX-License-Identifier: Apache-2.0

extension RequestReader {
    /// Reads the body, if there is one: all lines after the empty line that ends the fields, without empty lines at
    /// either end.
    mutating func readBody(_ rest: ArraySlice<FileLine>) throws(Diagnostic) {
        var lines = rest.drop(while: \.isBlank)
        while lines.last?.isBlank == true { lines.removeLast() }
        guard let first = lines.first else { return }
        // "A client MUST NOT send content in a TRACE request" (RFC 9110 §9.3.8); in GET and HEAD it "has no generally
        // defined semantics" (§9.3.1, §9.3.2).
        guard !["GET", "HEAD", "TRACE", "WEBSOCKET"].contains(self.request.method) else {
            throw Diagnostic(.bodyNotAllowed, at: first.position)
        }
        try self.readContent(lines, first)
        guard let index = self.request.fields.firstIndex(where: \.isContentType) else { return }
        guard let literal = self.request.fields[index].value.literal else { return }
        self.request.contentType = literal
        self.request.fields.remove(at: index)
    }

    private mutating func readContent(_ lines: ArraySlice<FileLine>, _ first: FileLine) throws(Diagnostic) {
        let afterSign = first.bytes.first == UInt8(ascii: "<") ? first.bytes.dropFirst() : nil
        // `<` names a file if a blank, an `@` or the end of the line follows it; otherwise, it begins XML.
        if let afterSign, afterSign.first.map({ $0.isBlank || $0 == UInt8(ascii: "@") }) ?? true {
            self.request.body = .file(try Self.path(lines))
            return
        }
        let type = try self.mediaType(at: first.position)
        switch type {
        case "application/x-www-form-urlencoded":
            var reader = FormReader()
            try reader.read(lines)
            self.request.uses += reader.uses
            self.request.body = .form(reader.items)
        case let type? where type == "application/json" || type.hasSuffix("+json"):
            try self.readJSON(lines)
        case let type? where type.hasPrefix("multipart/"):
            throw Diagnostic(.multipart, at: first.position)
        default:
            try self.readText(lines, type)
        }
    }

    private mutating func readJSON(_ lines: ArraySlice<FileLine>) throws(Diagnostic) {
        var scanner = TemplateScanner(lines)
        var check = JSONTemplateCheck()
        var builder = TemplateBuilder()
        while let symbol = try scanner.next() {
            try check.take(symbol, at: scanner.position)
            builder.append(symbol)
        }
        try check.finish(at: scanner.position)
        self.request.uses += check.uses
        self.request.body = .json(builder.finish())
    }

    /// Reads any other text.
    ///
    /// Only plain text may contain variables, because in XML, for example, the escaping depends on the place.
    private mutating func readText(_ lines: ArraySlice<FileLine>, _ type: String?) throws(Diagnostic) {
        let (template, references) = try Template.read(TemplateScanner(lines))
        if let reference = references.first, type != "text/plain" {
            throw Diagnostic(type == nil ? .typeOfBodyNeeded : .variableNotPossible, at: reference.position)
        }
        for reference in references { self.use(reference, as: .text) }
        self.request.body = .text(template)
    }

    private static func path(_ lines: ArraySlice<FileLine>) throws(Diagnostic) -> String {
        guard let line = lines.first else { return "" }
        let path = line.bytes.dropFirst().trimmed
        // Refuse `<@`. It stands for a file in which variables are replaced, but their places, and so their escaping,
        // are unknown.
        guard lines.count == 1, !path.isEmpty, path.first != UInt8(ascii: "@"), !path.text.contains("{{") else {
            throw Diagnostic(.malformedFileBody, at: (lines.dropFirst().first { !$0.isBlank } ?? line).position)
        }
        return path.text
    }
}

/// Parses the items of a form (WHATWG URL §5.1).
///
/// A form may have several lines. Only `&` separates items; line endings do not.
struct FormReader {
    private(set) var items: [BodyDefinition.FormItem] = []
    private(set) var uses: [VariableUse] = []

    private var name = TemplateBuilder()
    private var value: TemplateBuilder?
    private var hasContent = false

    mutating func read(_ lines: ArraySlice<FileLine>) throws(Diagnostic) {
        var scanner = TemplateScanner(lines.map(\.trimmed)[...])
        var position = scanner.position
        var digitCount = 0
        while let symbol = try scanner.next() {
            position = scanner.position
            switch symbol {
            case .byte(0x0A): continue
            case .byte(UInt8(ascii: "&")) where digitCount == 0: self.endItem()
            case .byte(UInt8(ascii: "=")) where digitCount == 0 && self.value == nil:
                self.value = TemplateBuilder()
                self.hasContent = true
            case .byte(let byte):
                guard byte > 0x20, digitCount == 0 || byte.isHexDigit else {
                    throw Diagnostic(.malformedForm, at: position)
                }
                digitCount = byte == UInt8(ascii: "%") ? 2 : max(0, digitCount - 1)
                self.append(symbol)
            case .variable(let reference):
                guard digitCount == 0 else { throw Diagnostic(.malformedForm, at: position) }
                self.append(symbol)
                self.uses.append(VariableUse(reference: reference, place: .form))
            }
        }
        guard digitCount == 0 else { throw Diagnostic(.malformedForm, at: position) }
        self.endItem()
    }

    private mutating func append(_ symbol: TemplateScanner.Symbol) {
        self.hasContent = true
        if self.value == nil { self.name.append(symbol) } else { self.value?.append(symbol) }
    }

    private mutating func endItem() {
        let name = self.name.finish().mapText(Self.decode)
        let value = (self.value?.finish() ?? Template()).mapText(Self.decode)
        if self.hasContent { self.items.append(BodyDefinition.FormItem(name: name, value: value)) }
        self.value = nil
        self.hasContent = false
    }

    /// Decodes form-encoded text (WHATWG URL §5.1).
    ///
    /// The client encodes the text again when it sends the form.
    private static func decode(_ text: String) -> String {
        var output: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "+"): output.append(0x20)
            case UInt8(ascii: "%"):
                output.append(UInt8(rest.prefix(2).text, radix: 16) ?? byte)
                rest = rest.dropFirst(2)
            default: output.append(byte)
            }
        }
        return output[...].text
    }
}
