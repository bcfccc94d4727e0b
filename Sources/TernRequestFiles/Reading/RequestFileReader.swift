// SPDX-License-Identifier: Apache-2.0

/// Reads a request file: splits it into blocks at `###`, reads the variables of all blocks, and then the request of
/// each block.
struct RequestFileReader {
    private var file = RequestFile()
    private var diagnostics: [Diagnostic] = []
    private var variables = VariableTable()

    mutating func read(_ bytes: [UInt8]) throws(RequestFileFailure) -> RequestFile {
        do throws(Diagnostic) {
            try self.read(try FileLine.lines(of: bytes))
        } catch {
            self.diagnostics.append(error)
        }
        self.diagnostics.sort { $0.position < $1.position }
        guard !self.diagnostics.contains(where: { !$0.isWarning }) else {
            // Choose errors before warnings, because the number of diagnostics is limited.
            let chosen = self.diagnostics.filter { !$0.isWarning } + self.diagnostics.filter(\.isWarning)
            let told = chosen.prefix(RequestFileLimits.maximumDiagnosticCount).sorted { $0.position < $1.position }
            throw RequestFileFailure(diagnostics: told)
        }
        self.file.warnings = Array(self.diagnostics.prefix(RequestFileLimits.maximumDiagnosticCount))
        return self.file
    }

    private mutating func read(_ lines: [FileLine]) throws(Diagnostic) {
        let blocks = Block.blocks(of: lines)
        for block in blocks {
            for line in block.variables { self.trying { reader throws(Diagnostic) in try reader.variables.add(line) } }
        }
        for (index, block) in blocks.enumerated() {
            guard self.file.requests.count < RequestFileLimits.maximumRequestCount else {
                throw Diagnostic(.tooMany("requests"), at: block.position)
            }
            self.trying { reader throws(Diagnostic) in try reader.read(block, isFirst: index == 0) }
        }
        self.variables.finish(&self.file)
        var binder = ParameterBinder(variables: self.file.variables)
        for index in self.file.requests.indices {
            self.trying { reader throws(Diagnostic) in try binder.bind(&reader.file.requests[index]) }
        }
        self.file.variables = binder.variables
    }

    private mutating func read(_ block: Block, isFirst: Bool) throws(Diagnostic) {
        var preamble = Preamble()
        for line in block.comments { try preamble.read(line) }
        if let access = preamble.access {
            guard isFirst else { throw Diagnostic(.malformedAccess, at: access.position) }
            self.file.isPublic = access.isPublic
        }
        guard let first = block.request.first else {
            if isFirst { self.file.documentation = preamble.documentation }
            guard let directive = preamble.firstDirective else { return }
            throw Diagnostic(.noRequest, at: directive)
        }
        if let name = preamble.name, self.file.request(named: name.name) != nil {
            throw Diagnostic(.duplicateName(name.name), at: name.position)
        }
        var reader = RequestReader(position: first.position, variables: self.variables)
        reader.request.title = block.title
        try reader.read(block.request, preamble)
        for server in reader.servers { try self.variables.declareServer(server) }
        self.file.requests.append(reader.request)
        self.diagnostics += reader.warnings
    }

    /// Runs code that reads a part of the file, and records the first error in it, so that the caller can read the next
    /// part.
    private mutating func trying(_ read: (inout Self) throws(Diagnostic) -> Void) {
        do throws(Diagnostic) { try read(&self) } catch { self.diagnostics.append(error) }
    }
}

/// The lines between two lines that begin with `###`.
struct Block {
    /// The text after `###`; `nil` if there is none.
    var title: String?
    /// The position at which the block begins.
    var position = TextPosition(line: 1, column: 1)
    /// The comments before the request.
    var comments: [FileLine] = []
    /// The variables before the request.
    var variables: [FileLine] = []
    /// The request line and all lines after it.
    var request: [FileLine] = []

    static func blocks(of lines: [FileLine]) -> [Block] {
        var blocks = [Block()]
        for line in lines {
            if line.bytes.starts(with: "###") {
                let title = line.bytes.drop { $0 == UInt8(ascii: "#") }.trimmed
                blocks.append(Block(title: title.isEmpty ? nil : title.text, position: line.position))
            } else {
                blocks[blocks.count - 1].append(line)
            }
        }
        return blocks
    }

    private mutating func append(_ line: FileLine) {
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
    /// Whether the line begins like a comment.
    var isComment: Bool { self.starts(with: "#") || self.starts(with: "//") }
}
