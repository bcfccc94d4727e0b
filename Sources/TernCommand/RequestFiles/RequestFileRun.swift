// SPDX-License-Identifier: Apache-2.0
import Tern
import TernFoundation
import TernRequestFiles

/// The requests to send from a request file, with values for their variables.
struct RequestFileRun {
    let bindings: [RequestBinding]
    let folder: URL

    /// The names of the requests to which, or to whose responses, other requests refer.
    var neededExchanges: Set<String> { Set(self.bindings.flatMap(\.references).map(\.reference.request)) }

    /// Chooses one request or all; messages contain the names that are missing, or the valid ones.
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
        var resolver = VariableResolver(file, typed: typed)
        try Self.check(typed, chosen, file, resolver)
        var bindings: [RequestBinding] = []
        for definition in chosen {
            bindings.append(try Self.binding(definition, file, &resolver, folder))
        }
        guard resolver.missing.isEmpty else {
            let names = Self.unique(resolver.missing)
            let advice = names.map { "--var \($0)=…" }.joined(separator: " ")
            throw Self.failure("there is no value for \(names.joined(separator: ", ")); use \(advice)")
        }
        try Self.checkReferences(in: bindings)
        self.bindings = bindings
        self.folder = folder
    }

    private static func binding(
        _ original: RequestDefinition,
        _ file: RequestFile,
        _ resolver: inout VariableResolver,
        _ folder: URL
    ) throws(CommandFailure) -> RequestBinding {
        var values: [String: VariableValue] = [:]
        var deferred: [String: Template] = [:]
        let inHost = original.addressTemplate?.variableNames ?? []
        let isHostTyped = inHost.flatMap { resolver.names(in: $0) }.contains { resolver.typed[$0] != nil }
        let definition = isHostTyped ? original.withVariablesInHost() : original
        let used = file.usedVariables.map(\.name).filter { definition.mentions($0) }
        for name in Self.unique(used + (isHostTyped ? inHost : [])) {
            let count = resolver.missing.count
            let template = try resolver.value(of: name)
            guard resolver.missing.count == count else { continue }
            if let text = template.literal {
                values[name] = try VariableValue(text, ofVariable: name, in: definition)
            } else {
                deferred[name] = template
            }
        }
        for parameter in definition.parameters {
            let value = try Self.value(of: parameter, resolver.typed[parameter.name])
            if let value { values[parameter.name] = value } else { resolver.miss(parameter.name) }
        }
        for name in definition.variableNames where ValueExpression(name) != nil {
            if let text = resolver.typed[name] { values[name] = .text(text) }
        }
        let files = try Self.files(of: definition, resolver.typed[RunCommand.fileVariable], folder)
        return RequestBinding(definition: definition, values: values, deferred: deferred, files: files)
    }

    private static func files(
        of definition: RequestDefinition,
        _ typed: String?,
        _ folder: URL
    ) throws(CommandFailure) -> [String: URL] {
        var files: [String: URL] = [:]
        switch definition.body {
        case .file(let path)?:
            // A typed path is relative to the current directory, as for all options; a path in the file is relative to
            // the file.
            if let typed {
                files[path] = URL(filePath: typed)
            } else {
                let name = TerminalText.sanitized(path)
                let advice = "if you want to send it, use --var \(RunCommand.fileVariable)=\(name)"
                files[path] = try BodyFile.url(path, in: folder, advice: advice)
            }
            if definition.sendsFileWithVariables, let file = files[path] { try BodyFile.checkVariables(in: file) }
        case .multipart(let parts)?:
            for case .file(let path) in parts.map(\.content) {
                files[path] = try BodyFile.url(path, in: folder, advice: "copy the file into the folder to send it")
            }
        default: break
        }
        return files
    }

    /// Rejects references to a request that is not sent before.
    private static func checkReferences(in bindings: [RequestBinding]) throws(CommandFailure) {
        for (index, binding) in bindings.enumerated() {
            for (text, reference) in binding.references {
                let isSentBefore = bindings[..<index].contains { $0.definition.isCalled(reference.request) }
                guard !isSentBefore else { continue }
                let message =
                    "{{\(text)}} needs \(reference.label), which is not sent before; "
                    + "send all requests, or use --var \(text)=…"
                throw Self.failure(TerminalText.sanitized(message))
            }
        }
    }

    private static func chosen(_ name: String?, of file: RequestFile) throws(CommandFailure) -> [RequestDefinition] {
        guard let name else {
            guard !file.requests.isEmpty else { throw Self.failure("the file contains no requests") }
            let requests = file.requests.filter { !$0.isDisabled }
            guard !requests.isEmpty else {
                throw Self.failure("all requests of the file are switched off by @disabled")
            }
            return requests
        }
        if let request = file.request(called: name) {
            guard !request.isDisabled else {
                let label = TerminalText.sanitized(name)
                throw Self.failure("the request \(label) is switched off; remove its comment @disabled to send it")
            }
            return [request]
        }
        let names = file.requests.compactMap { $0.name ?? $0.title }
        let list = names.joined(separator: ", ")
        let there =
            names.isEmpty
            ? "the requests of the file have no names"
            : names.count == 1 ? "the only name is \(list)" : "the names are \(list)"
        throw Self.failure("no request has the name \(TerminalText.sanitized(name)); \(there)")
    }

    /// Rejects unknown names: after a typing error, the intended variable would have no value, or its default.
    private static func check(
        _ typed: [String: String],
        _ chosen: [RequestDefinition],
        _ file: RequestFile,
        _ resolver: VariableResolver
    ) throws(CommandFailure) {
        var known = chosen.flatMap { $0.parameters.map(\.name) }
        let variables = file.usedVariables.map(\.name).filter { name in chosen.contains { $0.mentions(name) } }
        known += variables
        if chosen.contains(where: \.sendsFile) { known.append(RunCommand.fileVariable) }
        // Variables of variables, and expressions, may have a value, too, but only advice about the others is useful.
        let inHosts = chosen.flatMap { $0.addressTemplate?.variableNames ?? [] }
        let inner = Set((variables + inHosts).flatMap { resolver.names(in: $0) } + chosen.flatMap(\.variableNames))
        let isUnknown: (String) -> Bool = { !known.contains($0) && !inner.contains($0) }
        guard let unknown = typed.keys.sorted().first(where: isUnknown) else { return }
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
    func mentions(_ name: String) -> Bool {
        self.templates.contains { $0.pieces.contains(.variable(name)) }
    }
}

extension RequestFile {
    func request(called name: String) -> RequestDefinition? {
        self.request(named: name) ?? self.requests.first { $0.isCalled(name) }
    }
}

extension RequestBinding {
    var references: [(text: String, reference: MessageReference)] {
        let inner = self.deferred.values.flatMap(\.pieces).compactMap { piece in
            if case .variable(let name) = piece { name } else { nil }
        }
        return (self.definition.variableNames + inner).compactMap { name in
            guard self.values[name] == nil, case .message(let reference)? = ValueExpression(name) else { return nil }
            return (name, reference)
        }
    }
}
