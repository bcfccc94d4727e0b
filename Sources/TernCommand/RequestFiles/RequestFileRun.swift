// SPDX-License-Identifier: Apache-2.0
import Tern
import TernRequestFiles

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The requests to send from a request file, with values for their variables.
struct RequestFileRun {
    /// The requests to send, in the order of the file.
    let bindings: [RequestBinding]

    /// Chooses requests, and assigns values to their variables.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - name: The name of one request; `nil` for all requests of the file.
    ///   - arguments: The values that were typed.
    ///   - folder: The folder of the file.
    /// - Throws: `CommandFailure` if the file contains no requests, if a value is missing or invalid, if a typed name
    ///   is unknown, or if a variable is given twice. The message contains the missing names, or the valid ones.
    init(
        _ file: RequestFile,
        name: String?,
        _ arguments: [VariableArgument],
        folder: URL
    ) throws(CommandFailure) {
        let chosen = try Self.chosen(name, of: file)
        var typed: [String: String] = [:]
        for argument in arguments {
            guard typed.updateValue(argument.value, forKey: argument.name) == nil else {
                throw Self.failure("--var \(argument.name) is given twice")
            }
        }
        try Self.check(typed, chosen, file)
        var bindings: [RequestBinding] = []
        var missing: [String] = []
        for definition in chosen {
            var values: [String: VariableValue] = [:]
            for variable in file.usedVariables where definition.mentions(variable.name) {
                let text = typed[variable.name] ?? variable.value
                if let text { values[variable.name] = .text(text) } else { missing.append(variable.name) }
            }
            for parameter in definition.parameters {
                let value = try Self.value(of: parameter, typed[parameter.name])
                if let value { values[parameter.name] = value } else { missing.append(parameter.name) }
            }
            if case .file? = definition.body, let path = typed[RunCommand.fileVariable] {
                values[RunCommand.fileVariable] = .text(path)
            }
            bindings.append(RequestBinding(definition: definition, values: values, folder: folder))
        }
        guard missing.isEmpty else {
            let names = Self.unique(missing)
            let advice = names.map { "--var \($0)=…" }.joined(separator: " ")
            throw Self.failure("there is no value for \(names.joined(separator: ", ")); use \(advice)")
        }
        self.bindings = bindings
    }

    private static func chosen(_ name: String?, of file: RequestFile) throws(CommandFailure) -> [RequestDefinition] {
        guard let name else {
            guard !file.requests.isEmpty else { throw Self.failure("the file contains no requests") }
            return file.requests
        }
        if let request = file.request(named: name) { return [request] }
        let names = file.requests.compactMap(\.name)
        let list = names.joined(separator: ", ")
        let there =
            names.isEmpty
            ? "the requests of the file have no names"
            : names.count == 1 ? "the only name is \(list)" : "the names are \(list)"
        throw Self.failure("no request has the name \(TerminalText.sanitized(name)); \(there)")
    }

    /// Rejects unknown names.
    ///
    /// A name with a typing error would otherwise leave the intended variable without a value, or with its default.
    private static func check(
        _ typed: [String: String],
        _ chosen: [RequestDefinition],
        _ file: RequestFile
    ) throws(CommandFailure) {
        var known = chosen.flatMap { $0.parameters.map(\.name) }
        known += file.usedVariables.map(\.name).filter { name in chosen.contains { $0.mentions(name) } }
        if chosen.contains(where: \.sendsFile) { known.append(RunCommand.fileVariable) }
        guard let unknown = typed.keys.sorted().first(where: { !known.contains($0) }) else { return }
        let names = Self.unique(known)
        let list = names.joined(separator: ", ")
        let there =
            names.isEmpty
            ? "they use no variables"
            : names.count == 1 ? "the only variable is \(list)" : "the variables are \(list)"
        throw Self.failure("the requests to send have no variable \(TerminalText.sanitized(unknown)); \(there)")
    }

    private static func value(of parameter: Parameter, _ typed: String?) throws(CommandFailure) -> VariableValue? {
        guard let typed else { return VariableValue(defaultOf: parameter) }
        guard let value = VariableValue(typed, for: parameter) else {
            throw Self.failure("the value of \(parameter.name) is not a valid \(parameter.type)")
        }
        return value
    }

    private static func unique(_ names: [String]) -> [String] {
        var seen: Set<String> = []
        return names.filter { seen.insert($0).inserted }
    }

    private static func failure(_ message: String) -> CommandFailure {
        CommandFailure(outcome: .usage, message: message)
    }
}

extension RequestDefinition {
    /// Returns whether a variable of the file occurs in the request.
    func mentions(_ name: String) -> Bool {
        if case .variable(name) = self.server { return true }
        return self.templates.contains { $0.pieces.contains(.variable(name)) }
    }

    private var templates: [Template] {
        let content: [Template] =
            switch self.body {
            case .json(let template), .text(let template): [template]
            case .form(let items): items.flatMap { [$0.name, $0.value] }
            case .file, nil: []
            }
        return [self.target] + self.fields.map(\.value) + content
    }
}
