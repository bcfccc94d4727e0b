// SPDX-License-Identifier: Apache-2.0
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Why a value is no form, in words that are the module's own.
struct FormProblem: Error {
    let text: String
    let path: [any CodingKey]
}

/// A value on its way into a form: containers fill it while the value encodes itself.
final class FormNode {
    enum Content {
        /// Nothing was written, or `nil`.
        case none
        /// A plain value.
        case text(String)
        /// A list.
        case elements([FormNode])
        /// Named members, in the order in which they were written.
        case members([(name: String, node: FormNode)])
    }

    var content = Content.none
    /// Where each name is among the members.
    private var places: [String: Int] = [:]

    /// The member of a name; a new one takes the place of an earlier.
    func member(_ name: String) -> FormNode {
        let node = FormNode()
        var members: [(name: String, node: FormNode)] = []
        if case .members(let earlier) = self.content { members = earlier }
        self.content = .none  // so that the list is held once, and is not copied
        if let place = self.places[name] {
            members[place].node = node
        } else {
            self.places[name] = members.count
            members.append((name, node))
        }
        self.content = .members(members)
        return node
    }

    /// One more element.
    func element() -> FormNode {
        let node = FormNode()
        var elements: [FormNode] = []
        if case .elements(let earlier) = self.content { elements = earlier }
        self.content = .none
        elements.append(node)
        self.content = .elements(elements)
        return node
    }

    /// Says that this is a list or has members, though there may be none.
    func begin(_ content: Content) {
        if case .none = self.content { self.content = content }
    }

    /// Writes a value: what has a plain form is written in it, all else encodes itself.
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

    /// Writes a number, which must be one.
    func encode<Number: BinaryFloatingPoint & LosslessStringConvertible>(
        number: Number,
        at path: [any CodingKey]
    ) throws {
        guard number.isFinite else { throw Self.notFinite(path) }
        self.content = .text(number.description)
    }

    private static func notFinite(_ path: [any CodingKey]) -> FormProblem {
        FormProblem(text: "a form has no number that is not finite", path: path)
    }

    /// Whether there is something in it that has a name of its own.
    var hasParts: Bool {
        switch self.content {
        case .none, .text: false
        case .elements, .members: true
        }
    }
}
