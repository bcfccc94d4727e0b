// SPDX-License-Identifier: Apache-2.0
import ArgumentParser

/// The value of a variable as it is typed: `name=value`.
struct VariableArgument: ExpressibleByArgument, Equatable, Sendable {
    let name: String
    let value: String

    /// Reads what is before the first equals sign and all behind it, which may be empty; `nil` if there is none.
    init?(argument: String) {
        guard let equals = argument.firstIndex(of: "="), equals > argument.startIndex else { return nil }
        self.name = String(argument[..<equals])
        self.value = String(argument[argument.index(after: equals)...])
    }
}
