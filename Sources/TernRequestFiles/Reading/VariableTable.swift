// SPDX-License-Identifier: Apache-2.0

/// The variables of a file that is being read.
struct VariableTable {
    private var variables: [FileVariable] = []
    private var indices: [String: Int] = [:]

    /// Returns the value of a variable; `nil` if the file gives none.
    func value(of name: String) -> String? { self.indices[name].flatMap { self.variables[$0].value } }

    /// Adds the variable that a line defines: `@name = value`.
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

    /// Returns the value with its variables replaced.
    ///
    /// The length of the value is limited. Otherwise, a few lines could double it again and again.
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

    /// Records a variable that stands for the address of a server, unless the file defines the variable.
    mutating func declareServer(_ reference: VariableReference) throws(Diagnostic) {
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

/// Finds the variables that the file does not define, makes them parameters of the requests, and checks that the type
/// of each one fits the places where it occurs.
struct ParameterBinder {
    /// The variables of the file, in which those that requests use are marked (`isUsed`).
    private(set) var variables: [FileVariable]
    private let indices: [String: Int]

    init(variables: [FileVariable]) {
        self.variables = variables
        self.indices = Dictionary(uniqueKeysWithValues: variables.enumerated().map { ($1.name, $0) })
    }

    mutating func bind(_ request: inout RequestDefinition) throws(Diagnostic) {
        if let name = request.name, self.indices[name] != nil {
            throw Diagnostic(.reservedName(name), at: request.position)
        }
        for parameter in request.parameters where self.indices[parameter.name] != nil {
            throw Diagnostic(.parameterIsVariable(parameter.name), at: parameter.position)
        }
        for use in request.uses {
            if let index = self.indices[use.reference.name] {
                guard use.place != .jsonValue else {
                    throw Diagnostic(.quotesNeeded(use.reference.name), at: use.reference.position)
                }
                self.variables[index].isUsed = true
            } else {
                try Self.add(use, to: &request)
            }
        }
        for parameter in request.parameters where parameter.places.isEmpty {
            throw Diagnostic(.unusedParameter(parameter.name), at: parameter.position)
        }
    }

    private static func add(_ use: VariableUse, to request: inout RequestDefinition) throws(Diagnostic) {
        let (name, position) = (use.reference.name, use.reference.position)
        let index: Int
        if let known = request.parameters.firstIndex(where: { $0.name == name }) {
            index = known
        } else {
            guard !Preamble.reservedNames.contains(name), !request.result.reservedNames.contains(name) else {
                throw Diagnostic(.reservedName(name), at: position)
            }
            guard request.parameters.count < RequestFileLimits.maximumParameterCount else {
                throw Diagnostic(.tooMany("parameters"), at: position)
            }
            index = request.parameters.count
            request.parameters.append(Parameter(name: name, position: position))
        }
        let parameter = request.parameters[index]
        guard use.place != .jsonValue || parameter.isTyped else { throw Diagnostic(.typeNeeded(name), at: position) }
        if parameter.type.isOptional, !use.place.allowsNil {
            throw Diagnostic(.optionalNotPossible(name), at: position)
        }
        let isText = parameter.type.isPlain || parameter.type.isOptional && !parameter.type.text.hasPrefix("[")
        guard isText || use.place == .jsonValue else { throw Diagnostic(.typeNotPossible(name), at: position) }
        request.parameters[index].places.append(use.place)
    }
}
