// SPDX-License-Identifier: Apache-2.0

/// The variables of a file while it is read.
struct VariableTable {
    private var variables: [FileVariable] = []
    private var indices: [String: Int] = [:]

    /// The value of a variable; `nil` if the file gives none.
    func value(of name: String) -> String? { self.indices[name].flatMap { self.variables[$0].value } }

    /// Reads `@name = value`.
    mutating func add(_ line: FileLine) throws(Diagnostic) {
        let all = line.bytes.trimmed
        guard let equals = all.firstIndex(of: UInt8(ascii: "=")) else {
            throw Diagnostic(.malformedVariable, at: line.position)
        }
        let name = all[..<equals].dropFirst().trimmed
        guard name.isName else { throw Diagnostic(.malformedVariable, at: line.position) }
        let position = line.position(of: name.startIndex)
        guard !Preamble.reservedNames.contains(name.text) else {
            throw Diagnostic(.reservedName(name.text), at: position)
        }
        guard self.indices[name.text] == nil else { throw Diagnostic(.duplicateVariable(name.text), at: position) }
        guard self.variables.count < RequestFileLimits.maximumVariableCount else {
            throw Diagnostic(.tooMany("variables"), at: position)
        }
        let value = try self.resolved(line.part(all[(equals + 1)...].trimmed))
        self.append(FileVariable(name: name.text, value: value, position: position))
    }

    /// The value with the variables in it replaced by theirs.
    ///
    /// It is bounded, or a few lines could double it without end.
    private func resolved(_ line: FileLine) throws(Diagnostic) -> String {
        var value = ""
        for piece in try Template.read(TemplateScanner(line)).0.pieces {
            switch piece {
            case .text(let text): value += text
            case .variable(let name):
                guard let inner = self.value(of: name) else {
                    throw Diagnostic(.undefinedVariable(name), at: line.position)
                }
                value += inner
            }
            guard value.utf8.count <= RequestFileLimits.maximumValueByteCount else {
                throw Diagnostic(.valueTooLong, at: line.position)
            }
        }
        return value
    }

    /// Takes note of the address of a server that the file does not give.
    mutating func noteServer(_ reference: VariableReference) throws(Diagnostic) {
        guard self.indices[reference.name] == nil else { return }
        guard !Preamble.reservedNames.contains(reference.name) else {
            throw Diagnostic(.reservedName(reference.name), at: reference.position)
        }
        self.append(FileVariable(name: reference.name, value: nil, position: reference.position))
    }

    private mutating func append(_ variable: FileVariable) {
        self.indices[variable.name] = self.variables.count
        self.variables.append(variable)
    }

    func finish(_ file: inout RequestFile) { file.variables = self.variables }
}
