// SPDX-License-Identifier: Apache-2.0

/// The lines between two lines that begin with `###`.
struct Block {
    var title: String?
    var position = TextPosition(line: 1, column: 1)
    var comments: [FileLine] = []
    var variables: [FileLine] = []
    var request: [FileLine] = []
    var lines: [FileLine] = []
    /// The first error of a line, such as a control character.
    var flaw: Diagnostic?

    static func blocks(of lines: [FileLine]) -> [Block] {
        var blocks = [Block()]
        for line in lines {
            if line.bytes.starts(with: "###") {
                let title = line.bytes.drop { $0 == UInt8(ascii: "#") }.trimmed
                blocks.append(Block(title: title.isEmpty ? nil : title.text, position: line.position))
            } else {
                blocks[blocks.count - 1].append(line)
            }
            if blocks[blocks.count - 1].flaw == nil { blocks[blocks.count - 1].flaw = line.flaw }
        }
        return blocks
    }

    private mutating func append(_ line: FileLine) {
        self.lines.append(line)
        let start = line.bytes.trimmed
        switch start.first {
        case _ where !self.request.isEmpty: self.request.append(line)
        case nil: return
        case UInt8(ascii: "@"): self.variables.append(line)
        case _ where start.isComment: self.comments.append(line)
        default: self.request.append(line)
        }
    }
}

extension ArraySlice<UInt8> {
    var isComment: Bool { self.starts(with: "#") || self.starts(with: "//") }
}
