// SPDX-License-Identifier: Apache-2.0

/// Parses the items of a form (WHATWG URL §5.1), separated by `&`, but not by line endings.
///
/// A lenient reader leaves out blanks around a name or a value, as in JetBrains' editors, and keeps other blanks.
struct FormReader {
    private(set) var items: [BodyDefinition.FormItem] = []
    private(set) var uses: [VariableUse] = []

    private var name = TemplateBuilder()
    private var value: TemplateBuilder?
    private var hasContent = false

    mutating func read(_ lines: ArraySlice<FileLine>, isLenient: Bool) throws(Diagnostic) {
        var scanner = TemplateScanner(lines.map(\.trimmed)[...], isLenient: isLenient)
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
                guard byte > 0x20 || isLenient && byte.isBlank, digitCount == 0 || byte.isHexDigit else {
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
        let name = self.name.finish().trimmedBlanks.mapText(Self.decode)
        let value = (self.value?.finish() ?? Template()).trimmedBlanks.mapText(Self.decode)
        if self.hasContent { self.items.append(BodyDefinition.FormItem(name: name, value: value)) }
        self.value = nil
        self.hasContent = false
    }

    /// Decodes form-encoded text, which the client encodes again when it sends the form.
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

extension Template {
    fileprivate var trimmedBlanks: Template {
        var copy = Template()
        for (index, piece) in self.pieces.enumerated() {
            switch piece {
            case .variable(let name): copy.append(variable: name)
            case .text(let text):
                var bytes = Array(text.utf8)[...]
                if index == 0 { bytes = bytes.drop(while: \.isBlank) }
                while index == self.pieces.count - 1, bytes.last?.isBlank == true { bytes.removeLast() }
                copy.append(bytes.text)
            }
        }
        return copy
    }
}
