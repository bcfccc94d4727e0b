// SPDX-License-Identifier: Apache-2.0
import TernRequestFiles

/// Finds the values of the variables of a request file: values that were typed, and those of the file.
struct VariableResolver {
    private let variables: [String: FileVariable]
    let typed: [String: String]
    private(set) var missing: [String] = []

    init(_ file: RequestFile, typed: [String: String]) {
        self.variables = Dictionary(file.variables.map { ($0.name, $0) }) { $1 }
        self.typed = typed
    }

    mutating func miss(_ name: String) { self.missing.append(name) }

    /// Returns the value of a variable of the file, in which only expressions are left.
    mutating func value(of name: String) throws(CommandFailure) -> Template {
        var value = Template()
        var count = 0
        try self.append(name, to: &value, &count, depth: 0)
        return value
    }

    private mutating func append(
        _ name: String,
        to value: inout Template,
        _ count: inout Int,
        depth: Int
    ) throws(CommandFailure) {
        if let text = self.typed[name] { return value.append(text) }
        if ValueExpression(name) != nil { return value.append(variable: name) }
        guard let template = self.variables[name]?.template else { return self.miss(name) }
        // The reader has refused variables that contain themselves, so the depth is only a second line of defence.
        guard depth <= RequestFileLimits.maximumVariableCount else { return self.miss(name) }
        for piece in template.pieces {
            switch piece {
            case .text(let text): value.append(text)
            case .variable(let inner): try self.append(inner, to: &value, &count, depth: depth + 1)
            }
            count += 1
            let length = value.text { $0 }.utf8.count
            guard length <= RequestFileLimits.maximumValueByteCount, count <= RequestFileLimits.maximumValueByteCount
            else {
                throw CommandFailure(
                    outcome: .usage,
                    message: "the value of \(TerminalText.sanitized(name)) is longer than 8 KiB"
                )
            }
        }
    }

    func names(in name: String) -> [String] {
        var names: [String] = []
        var open = [name]
        while let next = open.popLast() {
            guard !names.contains(next) else { continue }
            names.append(next)
            for case .variable(let inner) in self.variables[next]?.template?.pieces ?? [] { open.append(inner) }
        }
        return names
    }
}
