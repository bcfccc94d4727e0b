// SPDX-License-Identifier: Apache-2.0
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

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

    /// The member of a name; a new one takes the place of an earlier.
    func member(_ name: String) -> FormNode {
        let node = FormNode()
        var members: [(name: String, node: FormNode)] = []
        if case .members(let earlier) = self.content { members = earlier }
        self.content = .none  // so that the list is held once, and is not copied
        if let index = members.firstIndex(where: { $0.name == name }) {
            members[index].node = node
        } else {
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
        case let decimal as Decimal: self.content = .text(decimal.description)
        default: try value.encode(to: FormValueEncoder(node: self, encoder: encoder, codingPath: path))
        }
    }

    /// Writes a number, which must be one.
    func encode<Number: BinaryFloatingPoint & LosslessStringConvertible>(
        number: Number,
        at path: [any CodingKey]
    ) throws {
        guard number.isFinite else { throw Self.problem("A form has no number that is not finite.", path) }
        self.content = .text(number.description)
    }

    static func problem(_ text: String, _ path: [any CodingKey]) -> EncodingError {
        .invalidValue((), EncodingError.Context(codingPath: path, debugDescription: text))
    }
}
