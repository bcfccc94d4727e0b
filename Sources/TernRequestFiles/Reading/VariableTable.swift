// SPDX-License-Identifier: Apache-2.0

struct VariableTable {
    private var variables: [FileVariable] = []
    private var indices: [String: Int] = [:]
    private var tolerance: Tolerance

    init(isLenient: Bool) { self.tolerance = Tolerance(isLenient: isLenient) }

    var warnings: [Diagnostic] { self.tolerance.warnings }

    func value(of name: String) -> String? { self.indices[name].flatMap { self.variables[$0].value } }

    /// Replaces variables by their values; returns the template itself if the values are together longer than one may be.
    func inserted(in template: Template) -> Template {
        var result = Template()
        var count = 0
        for piece in template.pieces {
            if case .variable(let name) = piece { count += self.value(of: name)?.utf8.count ?? 0 }
            guard count <= RequestFileLimits.maximumValueByteCount else { return template }
            switch piece {
            case .text(let text): result.append(text)
            case .variable(let name):
                if let value = self.value(of: name) { result.append(value) } else { result.append(variable: name) }
            }
        }
        return result
    }

    mutating func add(_ line: FileLine) throws(Diagnostic) {
        let all = line.bytes.trimmed
        guard let equals = all.firstIndex(of: UInt8(ascii: "=")) else {
            throw Diagnostic(.malformedVariable, at: line.position)
        }
        let name = all[..<equals].dropFirst().trimmed
        let position = line.position(of: name.startIndex)
        if !name.isName {
            guard self.tolerance.isLenient, name.isLooseName else {
                throw Diagnostic(.malformedVariable, at: line.position)
            }
            self.tolerance.warn(.malformedVariableName, at: position)
        }
        guard self.tolerance.isLenient || !Preamble.reservedNames.contains(name.text) else {
            throw Diagnostic(.reservedName(name.text), at: position)
        }
        let known = self.indices[name.text]
        if let known, self.variables[known].template != nil {
            try self.tolerance.forgive(.duplicateVariable(name.text), at: position)
            // A variable inside of a request is added after those before the requests.
            guard self.variables[known].position < position else { return }
        }
        guard known != nil || self.variables.count < RequestFileLimits.maximumVariableCount else {
            throw Diagnostic(.tooMany("variables"), at: position)
        }
        let valueLine = line.part(all[(equals + 1)...].trimmed)
        let template = try Template.read(TemplateScanner(valueLine, isLenient: self.tolerance.isLenient)).0
        for case .variable(let name) in template.pieces where self.tolerance.isLenient {
            guard case .environment(let key)? = ValueExpression(name) else { continue }
            self.tolerance.warn(.environmentVariable(key), at: valueLine.position)
        }
        let value = self.tolerance.isLenient ? nil : try self.resolved(template, at: valueLine.position)
        self.set(FileVariable(name: name.text, value: value, template: template, position: position))
    }

    /// Returns the value, and limits its length, because otherwise a few lines could double it again and again.
    private func resolved(_ template: Template, at position: TextPosition) throws(Diagnostic) -> String {
        var value = ""
        for piece in template.pieces {
            switch piece {
            case .text(let text): value += text
            case .variable(let name):
                guard let inner = self.value(of: name) else { throw Diagnostic(.undefinedVariable(name), at: position) }
                value += inner
            }
            guard value.utf8.count <= RequestFileLimits.maximumValueByteCount else {
                throw Diagnostic(.valueTooLong, at: position)
            }
        }
        return value
    }

    /// Records a variable that stands for the address of a server, unless the file defines the variable.
    mutating func declareServer(_ reference: VariableReference) throws(Diagnostic) {
        guard self.indices[reference.name] == nil else { return }
        guard self.tolerance.isLenient || !Preamble.reservedNames.contains(reference.name) else {
            throw Diagnostic(.reservedName(reference.name), at: reference.position)
        }
        // A strict file has at most one such variable in each request; the URL of another editor may have many.
        let limit = RequestFileLimits.maximumVariableCount + RequestFileLimits.maximumRequestCount
        guard self.variables.count < limit else { throw Diagnostic(.tooMany("variables"), at: reference.position) }
        self.set(FileVariable(name: reference.name, value: nil, template: nil, position: reference.position))
    }

    private mutating func set(_ variable: FileVariable) {
        if let index = self.indices[variable.name] {
            self.variables[index] = variable
        } else {
            self.indices[variable.name] = self.variables.count
            self.variables.append(variable)
        }
    }

    func finish(_ file: inout RequestFile) { file.variables = self.variables }
}

extension VariableTable {
    private enum Settlement {
        /// The value is being computed, so the computation must not use it.
        case open
        /// The value is `nil` if the file does not determine it, or it breaks a rule.
        case done(String?)
    }

    /// Computes the values of all variables in any order, and returns an error for each that is too long or contains itself.
    mutating func settle() -> [Diagnostic] {
        var settlements: [Int: Settlement] = [:]
        var errors: [Diagnostic] = []
        for index in self.variables.indices {
            let value = self.settle(index, &settlements, &errors)
            self.variables[index].value = value
        }
        return errors
    }

    /// Computes the value of a variable; the recursion cannot go deeper than there are variables.
    private func settle(
        _ index: Int,
        _ settlements: inout [Int: Settlement],
        _ errors: inout [Diagnostic]
    ) -> String? {
        let variable = self.variables[index]
        switch settlements[index] {
        case .done(let value)?: return value
        case .open?:
            errors.append(Diagnostic(.circularVariable(variable.name), at: variable.position))
            return nil
        case nil: settlements[index] = .open
        }
        var value: String? = variable.template == nil ? nil : ""
        for piece in variable.template?.pieces ?? [] {
            let part: String? =
                switch piece {
                case .text(let text): text
                case .variable(let name): self.indices[name].flatMap { self.settle($0, &settlements, &errors) }
                }
            value = value.flatMap { before in part.map { before + $0 } }
            if let length = value?.utf8.count, length > RequestFileLimits.maximumValueByteCount {
                errors.append(Diagnostic(.valueTooLong, at: variable.position))
                value = nil
            }
        }
        settlements[index] = .done(value)
        return value
    }
}
