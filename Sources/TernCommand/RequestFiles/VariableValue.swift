// SPDX-License-Identifier: Apache-2.0
import TernRequestFiles

/// The value of a variable of a request file, in the form that the variable's type requires.
enum VariableValue: Hashable, Sendable {
    case text(String)
    case integer(Int64)
    case unsigned(UInt64)
    case number(Double)
    case bool(Bool)
    case json(TypedJSON)
    case null

    /// Parses a value; if the type is unknown, it is JSON where the variable stands for a JSON value, and text otherwise.
    init?(_ text: String, for parameter: Parameter) {
        switch parameter.type.scalar {
        case .string: self = .text(text)
        case .int, .int64:
            guard let value = Int64(text) else { return nil }
            self = .integer(value)
        case .int32:
            guard let value = Int32(text) else { return nil }
            self = .integer(Int64(value))
        case .uint:
            guard let value = UInt64(text) else { return nil }
            self = .unsigned(value)
        case .double:
            guard let value = Double(text), value.isFinite else { return nil }
            self = .number(value)
        case .bool:
            guard let value = Bool(text) else { return nil }
            self = .bool(value)
        case nil:
            guard parameter.places.contains(.jsonValue) else {
                self = .text(text)
                return
            }
            guard let value = TypedJSON(text) else { return nil }
            self = .json(value)
        }
    }

    /// Creates the value of a variable of the file, which must be JSON where the variable stands for a JSON value.
    init(_ text: String, ofVariable name: String, in definition: RequestDefinition) throws(CommandFailure) {
        guard definition.standsForJSON(name) else {
            self = .text(text)
            return
        }
        guard let value = TypedJSON(text) else {
            let message = "the value of \(name) is not valid JSON; put {{\(name)}} in quotes for text"
            throw CommandFailure(outcome: .usage, message: TerminalText.sanitized(message))
        }
        self = .json(value)
    }

    init?(defaultOf parameter: Parameter) {
        switch parameter.defaultValue {
        case .text(let text): self = .text(text)
        case .number(let text): self.init(text, for: parameter)
        case .bool(let value): self = .bool(value)
        case .null: self = .null
        case nil: return nil
        }
    }

    var text: String? {
        switch self {
        case .text(let text): text
        case .integer(let value): value.description
        case .unsigned(let value): value.description
        case .number(let value): value.description
        case .bool(let value): value.description
        case .json(.string(let text)): text
        case .json(let value): JSONLine.encode(value)
        case .null: nil
        }
    }
}

extension VariableValue: Encodable {
    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .text(let text): try container.encode(text)
        case .integer(let value): try container.encode(value)
        case .unsigned(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .bool(let value): try container.encode(value)
        case .json(let value): try container.encode(value)
        case .null: try container.encodeNil()
        }
    }
}

extension VariableValue: LosslessStringConvertible {
    init?(_ description: String) { self = .text(description) }

    var description: String { self.text ?? "" }
}

struct VariableArgument: Equatable, Sendable {
    let name: String
    let value: String

    init?(argument: String) {
        guard let equals = argument.firstIndex(of: "="), equals > argument.startIndex else { return nil }
        self.name = String(argument[..<equals])
        self.value = String(argument[argument.index(after: equals)...])
    }
}
