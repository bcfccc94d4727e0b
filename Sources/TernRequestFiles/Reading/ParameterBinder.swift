// SPDX-License-Identifier: Apache-2.0

/// Makes parameters of the variables that the file does not define, and checks that their types fit their places.
struct ParameterBinder {
    private(set) var variables: [FileVariable]
    private let indices: [String: Int]
    /// Whether the requests are only sent, so that names need not be Swift names, and a value without a type is JSON.
    private let isLenient: Bool

    init(variables: [FileVariable], isLenient: Bool) {
        self.variables = variables
        self.indices = Dictionary(uniqueKeysWithValues: variables.enumerated().map { ($1.name, $0) })
        self.isLenient = isLenient
    }

    mutating func bind(_ request: inout RequestDefinition) throws(Diagnostic) {
        if !self.isLenient, let name = request.name, self.indices[name] != nil {
            throw Diagnostic(.reservedName(name), at: request.position)
        }
        for parameter in request.parameters where self.indices[parameter.name] != nil {
            throw Diagnostic(.parameterIsVariable(parameter.name), at: parameter.position)
        }
        for use in request.uses {
            if let expression = self.isLenient ? ValueExpression(use.reference.name) : nil {
                if case .environment(let name) = expression {
                    request.warnings.append(Diagnostic(.environmentVariable(name), at: use.reference.position))
                }
            } else if let index = self.indices[use.reference.name] {
                guard self.isLenient || use.place != .jsonValue else {
                    throw Diagnostic(.quotesNeeded(use.reference.name), at: use.reference.position)
                }
                self.variables[index].isUsed = true
            } else {
                try self.add(use, to: &request)
            }
        }
        for parameter in request.parameters where parameter.places.isEmpty {
            throw Diagnostic(.unusedParameter(parameter.name), at: parameter.position)
        }
    }

    private func add(_ use: VariableUse, to request: inout RequestDefinition) throws(Diagnostic) {
        let (name, position) = (use.reference.name, use.reference.position)
        let index: Int
        if let known = request.parameters.firstIndex(where: { $0.name == name }) {
            index = known
        } else {
            guard self.isLenient || !Self.isReserved(name, in: request) else {
                throw Diagnostic(.reservedName(name), at: position)
            }
            guard request.parameters.count < RequestFileLimits.maximumParameterCount else {
                throw Diagnostic(.tooMany("parameters"), at: position)
            }
            index = request.parameters.count
            request.parameters.append(Parameter(name: name, position: position))
        }
        if self.isLenient, use.place == .jsonValue, !request.parameters[index].isTyped {
            request.parameters[index] = request.parameters[index].typed(.json)
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

    private static func isReserved(_ name: String, in request: RequestDefinition) -> Bool {
        Preamble.reservedNames.contains(name) || request.result.reservedNames.contains(name)
    }
}
