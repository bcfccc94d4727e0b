// SPDX-License-Identifier: Apache-2.0
import TernFoundation

struct FormProblem: Error {
    /// The predicate of a sentence about the value, such as "is not a finite number".
    let text: String
    let path: [any CodingKey]
}

/// A part of a form that is being built; encoding containers fill the node while a value encodes itself.
final class FormNode {
    enum Content {
        /// The value wrote nothing, or wrote `nil`.
        case none
        case text(String)
        case elements([FormNode])
        /// Named members, in the order in which they were first written.
        case members([(name: String, node: FormNode)])
    }

    var content = Content.none
    private var places: [String: Int] = [:]

    func member(_ name: String) -> FormNode {
        let node = FormNode()
        var members: [(name: String, node: FormNode)] = []
        if case .members(let earlier) = self.content { members = earlier }
        self.content = .none  // so that the array has one owner and is not copied
        if let place = self.places[name] {
            members[place].node = node
        } else {
            self.places[name] = members.count
            members.append((name, node))
        }
        self.content = .members(members)
        return node
    }

    func element() -> FormNode {
        let node = FormNode()
        var elements: [FormNode] = []
        if case .elements(let earlier) = self.content { elements = earlier }
        self.content = .none
        elements.append(node)
        self.content = .elements(elements)
        return node
    }

    /// Marks the node as an array or as having members, even if no element or member follows.
    func begin(_ content: Content) {
        if case .none = self.content { self.content = content }
    }

    func encode<Value: Encodable>(_ value: Value, by encoder: FormEncoder, at path: [any CodingKey]) throws {
        switch value {
        case let date as Date: self.content = .text(encoder.text(of: date))
        case let data as Data: self.content = .text(data.base64EncodedString())
        case let url as URL: self.content = .text(url.absoluteString)
        case let decimal as Decimal:
            guard decimal.isFinite else { throw Self.notFinite(path) }
            self.content = .text(decimal.description)
        default: try value.encode(to: FormValueEncoder(node: self, encoder: encoder, codingPath: path))
        }
    }

    func encode<Number: BinaryFloatingPoint & LosslessStringConvertible>(
        number: Number,
        at path: [any CodingKey]
    ) throws {
        guard number.isFinite else { throw Self.notFinite(path) }
        self.content = .text(number.description)
    }

    private static func notFinite(_ path: [any CodingKey]) -> FormProblem {
        FormProblem(text: "is not a finite number", path: path)
    }

    var hasParts: Bool {
        switch self.content {
        case .none, .text: false
        case .elements, .members: true
        }
    }
}
