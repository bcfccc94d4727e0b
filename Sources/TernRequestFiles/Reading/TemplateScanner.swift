// SPDX-License-Identifier: Apache-2.0

struct TemplateScanner {
    enum Symbol: Hashable {
        case byte(UInt8)
        case variable(VariableReference)
    }

    private var lines: ArraySlice<FileLine>
    private var index: Int
    /// Whether names may contain `.` and `-`, and expressions may stand for variables.
    private let isLenient: Bool
    /// The position of the symbol that ``next()`` returned most recently; after `nil`, the position of the text's end.
    private(set) var position: TextPosition

    /// Creates a scanner, which reads the end of each line but the last as LF.
    init(_ lines: ArraySlice<FileLine>, isLenient: Bool) {
        self.lines = lines
        self.isLenient = isLenient
        self.index = lines.first?.bytes.startIndex ?? 0
        self.position = lines.first.map { $0.position(of: $0.bytes.startIndex) } ?? TextPosition(line: 1, column: 1)
    }

    init(_ line: FileLine, isLenient: Bool) { self.init([line][...], isLenient: isLenient) }

    /// Returns the next symbol; `nil` at the end; throws for text that looks like a variable but is not one.
    mutating func next() throws(Diagnostic) -> Symbol? {
        guard let line = self.lines.first else { return nil }
        self.position = line.position(of: self.index)
        guard self.index < line.bytes.endIndex else {
            self.lines.removeFirst()
            self.index = self.lines.first?.bytes.startIndex ?? 0
            return self.lines.isEmpty ? nil : .byte(0x0A)
        }
        let rest = line.bytes[self.index...]
        guard rest.starts(with: "{{") else {
            self.index += 1
            return .byte(line.bytes[self.index - 1])
        }
        guard let end = Self.end(of: rest) else { throw Diagnostic(.unclosedVariable, at: self.position) }
        let name = line.bytes[(self.index + 2)..<end].trimmed
        self.index = end + 2
        let isExpression = self.isLenient && ValueExpression(name.text) != nil
        if !isExpression {
            if name.first == UInt8(ascii: "$") { throw Diagnostic(.dynamicVariable, at: self.position) }
            guard self.isLenient ? name.isLooseName : name.isName else {
                throw Diagnostic(.malformedVariableName, at: self.position)
            }
        }
        return .variable(VariableReference(name: name.text, position: self.position))
    }

    private static func end(of bytes: ArraySlice<UInt8>) -> Int? {
        bytes.indices.dropLast().first {
            bytes[$0] == UInt8(ascii: "}") && bytes[$0 + 1] == UInt8(ascii: "}")
        }
    }
}

extension Template {
    static func read(_ scanner: TemplateScanner) throws(Diagnostic) -> (Template, [VariableReference]) {
        var scanner = scanner
        var builder = TemplateBuilder()
        var references: [VariableReference] = []
        while let symbol = try scanner.next() {
            builder.append(symbol)
            if case .variable(let reference) = symbol { references.append(reference) }
        }
        return (builder.finish(), references)
    }
}

/// Collects text as bytes, so that it never cuts a character.
struct TemplateBuilder {
    private var template = Template()
    private var bytes: [UInt8] = []

    mutating func append(_ symbol: TemplateScanner.Symbol) {
        switch symbol {
        case .byte(let byte): self.bytes.append(byte)
        case .variable(let reference): self.append(variable: reference.name)
        }
    }

    mutating func append(variable name: String) {
        self.flush()
        self.template.append(variable: name)
    }

    private mutating func flush() {
        self.template.append(self.bytes[...].text)
        self.bytes.removeAll()
    }

    mutating func finish() -> Template {
        self.flush()
        defer { self.template = Template() }
        return self.template
    }
}
