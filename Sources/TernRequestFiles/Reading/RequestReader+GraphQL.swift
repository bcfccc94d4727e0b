// SPDX-License-Identifier: Apache-2.0

extension RequestReader {
    /// Reads a query and, after an empty line, its variables in JSON, as members of one object (GraphQL over HTTP §4.2).
    mutating func readGraphQL(_ lines: ArraySlice<FileLine>) throws(Diagnostic) {
        if let first = lines.first, first.bytes.starts(with: "<") {
            throw Diagnostic(.malformedFileBody, at: first.position)
        }
        self.request.fields.removeAll(where: \.isContentType)
        for index in lines.indices.dropFirst().reversed() {
            let start = lines[index].bytes.trimmed.first
            guard start == UInt8(ascii: "{"), lines[index - 1].isBlank else { continue }
            let before = self
            if (try? self.readGraphQL(Self.trimmed(lines[..<index]), variables: lines[index...])) != nil { return }
            self = before
            break
        }
        try self.readGraphQL(lines, variables: [])
    }

    private mutating func readGraphQL(
        _ query: ArraySlice<FileLine>,
        variables: ArraySlice<FileLine>
    ) throws(Diagnostic) {
        var builder = TemplateBuilder()
        builder.append(#"{"query":""#)
        var scanner = TemplateScanner(query, isLenient: true)
        while let symbol = try scanner.next() {
            switch symbol {
            case .byte(let byte): builder.append(Self.escaped(byte))
            case .variable(let reference):
                self.use(reference, as: .jsonString)
                builder.append(symbol)
            }
        }
        builder.append("\"")
        if !variables.isEmpty {
            builder.append(#","variables":"#)
            try self.readJSON(variables)
            guard case .json(let template)? = self.request.body else { return }
            builder.append(template)
        }
        builder.append("}")
        self.request.body = .json(builder.finish())
        self.request.fields.append(FieldDefinition(name: "Content-Type", value: Self.jsonType))
    }

    private static var jsonType: Template {
        var type = Template()
        type.append("application/json")
        return type
    }

    /// Returns a byte as it stands in a JSON string (RFC 8259 §7).
    private static func escaped(_ byte: UInt8) -> [UInt8] {
        switch byte {
        case UInt8(ascii: "\""): Array("\\\"".utf8)
        case UInt8(ascii: "\\"): Array("\\\\".utf8)
        case 0x0A: Array("\\n".utf8)
        case 0x09: Array("\\t".utf8)
        default: [byte]
        }
    }
}

extension TemplateBuilder {
    fileprivate mutating func append(_ text: StaticString) {
        text.withUTF8Buffer { for byte in $0 { self.append(.byte(byte)) } }
    }

    fileprivate mutating func append(_ bytes: [UInt8]) {
        for byte in bytes { self.append(.byte(byte)) }
    }

    fileprivate mutating func append(_ template: Template) {
        for piece in template.pieces {
            switch piece {
            case .text(let text): self.append(Array(text.utf8))
            case .variable(let name): self.append(variable: name)
            }
        }
    }
}
