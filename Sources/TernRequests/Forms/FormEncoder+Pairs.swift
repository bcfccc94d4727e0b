// SPDX-License-Identifier: Apache-2.0
import TernFoundation

extension FormEncoder {
    func pairs(of root: FormNode) throws -> [(name: String, value: String)] {
        var pairs: [(name: String, value: String)] = []
        try self.append(root, named: "", to: &pairs)
        return pairs
    }

    private func append(
        _ node: FormNode,
        named name: String,
        to pairs: inout [(name: String, value: String)]
    ) throws {
        switch node.content {
        case .none: if let text = self.nilText { pairs.append((name, text)) }
        case .text(let text): pairs.append((name, text))
        case .members(let members):
            for member in self.sortsKeys ? members.sorted(by: { $0.name < $1.name }) : members {
                try self.append(member.node, named: self.name(of: member.name, in: name), to: &pairs)
            }
        case .elements(let elements): try self.append(elements, named: name, to: &pairs)
        }
    }

    private func append(
        _ elements: [FormNode],
        named name: String,
        to pairs: inout [(name: String, value: String)]
    ) throws {
        guard self.arrays != .commas else {
            // Write no pair for an empty array, as in the other formats: `tags=` would be an array with one empty text.
            guard !elements.isEmpty else { return }
            let texts = try elements.compactMap { try self.plainText(of: $0) }
            guard !texts.isEmpty else { return }  // also if all elements are left out
            return pairs.append((name, texts.joined(separator: ",")))
        }
        // PHP would read `a[][b]=1&a[][c]=2` as two elements, and `a[][]=1&a[][]=2` as two arrays with one element
        // each.
        let needsIndices = elements.contains { $0.hasParts }
        for (index, element) in elements.enumerated() {
            let elementName =
                switch self.arrays {
                case .brackets: needsIndices ? "\(name)[\(index)]" : "\(name)[]"
                case .indexed: "\(name)[\(index)]"
                case .repeated, .commas: name
                }
            try self.append(element, named: elementName, to: &pairs)
        }
    }

    private func plainText(of node: FormNode) throws -> String? {
        switch node.content {
        case .text(let text): return text
        case .none: return self.nilText
        case .members, .elements:
            throw FormProblem(
                text: "contains an array of arrays, structures or dictionaries, which cannot be written with commas",
                path: []
            )
        }
    }

    private func name(of member: String, in parent: String) -> String {
        if parent.isEmpty { return member }
        return self.keys == .dots ? "\(parent).\(member)" : "\(parent)[\(member)]"
    }

    private var nilText: String? {
        switch self.nils {
        case .omitted: nil
        case .empty: ""
        case .null: "null"
        }
    }

    func text(of value: Bool) -> String {
        switch self.bools {
        case .literal: value ? "true" : "false"
        case .numeric: value ? "1" : "0"
        }
    }

    func text(of date: Date) -> String {
        let seconds = date.timeIntervalSince1970
        switch self.dates {
        case .iso8601: return date.formatted(.iso8601)
        case .seconds: return Int64(exactly: seconds).map(String.init) ?? "\(seconds)"
        case .milliseconds:
            let milliseconds = (seconds * 1000).rounded()
            return Int64(exactly: milliseconds).map(String.init) ?? "\(milliseconds)"
        case .custom(let text): return text(date)
        }
    }
}
