// SPDX-License-Identifier: Apache-2.0

/// Text that may contain variables.
package struct Template: Hashable, Sendable {
    package enum Piece: Hashable, Sendable {
        case text(String)
        case variable(String)
    }

    /// The parts, in order; no text follows another text directly.
    package private(set) var pieces: [Piece] = []

    package var variableNames: [String] {
        self.pieces.compactMap { piece in
            if case .variable(let name) = piece { name } else { nil }
        }
    }

    package init() {}

    package init(variable name: String) { self.pieces = [.variable(name)] }

    package var isEmpty: Bool { self.pieces.isEmpty }

    package var literal: String? {
        switch self.pieces.first {
        case nil: ""
        case .text(let text) where self.pieces.count == 1: text
        default: nil
        }
    }

    package var wholeVariable: String? {
        guard self.pieces.count == 1, case .variable(let name)? = self.pieces.first else { return nil }
        return name
    }

    package mutating func append(_ text: String) {
        guard !text.isEmpty else { return }
        if case .text(let before)? = self.pieces.last {
            self.pieces[self.pieces.count - 1] = .text(before + text)
        } else {
            self.pieces.append(.text(text))
        }
    }

    package mutating func append(variable name: String) { self.pieces.append(.variable(name)) }

    package func text(_ replacement: (String) -> String) -> String {
        self.pieces.map { piece in
            switch piece {
            case .text(let text): text
            case .variable(let name): replacement(name)
            }
        }.joined()
    }

    func mapVariables(_ change: (String) -> String) -> Template {
        var copy = Template()
        for piece in self.pieces {
            switch piece {
            case .text(let text): copy.append(text)
            case .variable(let name): copy.append(variable: change(name))
            }
        }
        return copy
    }

    package func mapText(_ change: (String) -> String) -> Template {
        var copy = Template()
        for piece in self.pieces {
            switch piece {
            case .text(let text): copy.append(change(text))
            case .variable(let name): copy.append(variable: name)
            }
        }
        return copy
    }
}

struct VariableReference: Hashable, Sendable {
    var name: String
    var position: TextPosition
}

struct VariableUse: Hashable, Sendable {
    var reference: VariableReference
    var place: VariablePlace
}

/// The place of a variable, which determines how its value is escaped.
package enum VariablePlace: Hashable, Sendable {
    /// The address of a server, or a part of it.
    case server
    /// A component of the path, or a part of a component.
    case path
    /// In the query; `isWhole` is `true` if the variable is the whole value of an item.
    case query(isWhole: Bool)
    /// In the value of a field.
    case field
    /// In a JSON string.
    case jsonString
    /// A JSON value.
    case jsonValue
    /// In a name, a filename or a value of a form.
    case form
    /// In a text body.
    case text

    /// Whether `nil` is possible in this place.
    var allowsNil: Bool {
        switch self {
        case .query(let isWhole): isWhole
        case .jsonValue: true
        case .server, .path, .field, .jsonString, .form, .text: false
        }
    }
}
