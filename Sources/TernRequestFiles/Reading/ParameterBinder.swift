// SPDX-License-Identifier: Apache-2.0

/// Finds the parameters of requests: the variables that the file does not give; and checks that each fits its places.
struct ParameterBinder {
    /// The variables of the file, of which those become used that requests refer to.
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
            guard !Preamble.reservedNames.contains(name) else { throw Diagnostic(.reservedName(name), at: position) }
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
