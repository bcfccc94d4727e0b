// SPDX-License-Identifier: Apache-2.0

/// Splits a block that a strict reader refuses into requests and variables, in the forms of other editors.
///
/// Outside of text and multipart bodies, a variable may stand anywhere, scripts are left out, and a request line after an empty
/// line begins another request, even without `###`.
struct LenientBlockReader {
    /// The blocks, each with at most one request.
    private(set) var blocks: [Block]
    /// The scripts and separators that the reader forgave, for the block with the same index.
    private(set) var tolerances = [Tolerance(isLenient: true)]

    private var isAfterBlank = false
    private var isInFields = false
    /// Whether the current body is text in which any line may be meant literally.
    private var keepsLines = false

    init(_ block: Block) {
        var first = Block(title: block.title, position: block.position)
        first.flaw = block.flaw
        self.blocks = [first]
        var rest = block.lines[...]
        while let line = rest.popFirst() { self.read(line, &rest) }
    }

    private mutating func read(_ line: FileLine, _ rest: inout ArraySlice<FileLine>) {
        let start = line.bytes.trimmed
        let isAfterBlank = self.isAfterBlank
        self.isAfterBlank = start.isEmpty || isAfterBlank && start.isComment
        if start.isEmpty { self.isInFields = false }
        let last = self.blocks.count - 1
        let isBefore = self.blocks[last].request.isEmpty
        if !self.keepsLines {
            if start.isDefinition { return self.blocks[last].variables.append(line) }
            if self.skipsScript(start, isBefore: isBefore, &rest) {
                return self.tolerances[last].warn(.requestScript, at: line.position)
            }
            if start.starts(with: "??") { return self.tolerances[last].warn(.responseScript, at: line.position) }
        }
        if isBefore {
            if start.isEmpty { return }
            if start.isComment { return self.blocks[last].comments.append(line) }
            self.isInFields = true
        } else if isAfterBlank, !self.keepsLines, Self.isRequestLine(line) {
            self.begin(line)
        } else if self.isInFields, start.isTextType {
            self.keepsLines = true
        }
        self.blocks[self.blocks.count - 1].request.append(line)
    }

    private mutating func begin(_ line: FileLine) {
        self.blocks.append(Block(position: line.position))
        var tolerance = Tolerance(isLenient: true)
        tolerance.warn(.missingSeparator, at: line.position)
        self.tolerances.append(tolerance)
        (self.isInFields, self.keepsLines) = (true, false)
    }

    /// Drops the lines of a script; returns whether the line begins one, or names a file with a script to run before the request.
    private func skipsScript(_ start: ArraySlice<UInt8>, isBefore: Bool, _ rest: inout ArraySlice<FileLine>) -> Bool {
        if start.starts(with: "<"), start.dropFirst().trimmed.starts(with: "{%") {
            var text = start
            while !text.text.contains("%}"), let next = rest.popFirst() { text = next.bytes }
            return true
        }
        if isBefore, start.starts(with: "< ") { return true }  // a script in another file
        guard start.starts(with: "{{"), !start.text.contains("}}") else { return false }
        while let next = rest.popFirst(), !next.bytes.trimmed.starts(with: "}}") {}
        return true
    }

    private static func isRequestLine(_ line: FileLine) -> Bool {
        var rest = line
        guard line.bytes.first?.isBlank == false, let method = rest.takeWord(), let url = rest.takeWord() else {
            return false
        }
        guard RequestReader.isMethod(method.bytes.text) else { return false }
        return ["http://", "https://", "{{", "/"].contains { url.bytes.starts(with: $0.utf8) }
    }
}

extension ArraySlice<UInt8> {
    fileprivate var isDefinition: Bool {
        guard self.first == UInt8(ascii: "@"), let equals = self.firstIndex(of: UInt8(ascii: "=")) else { return false }
        return self[..<equals].dropFirst().trimmed.isLooseName
    }

    /// Whether the line is a field that announces text, or parts that may be text.
    fileprivate var isTextType: Bool {
        let field = self.text.lowercased()
        return field.hasPrefix("content-type:") && (field.contains("text/") || field.contains("multipart/"))
    }
}
