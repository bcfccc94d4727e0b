// SPDX-License-Identifier: Apache-2.0

/// A reference to a part of another request or of its response: `login.response.body.$.user.id`.
package struct MessageReference: Hashable, Sendable {
    package enum Message: Hashable, Sendable {
        case request
        case response
    }

    package enum Part: Hashable, Sendable {
        case field(String)
        case body
        case value([Step])
    }

    /// A step from a JSON value to a value inside of it.
    package enum Step: Hashable, Sendable {
        case member(String)
        /// The element of an array at this index, from 0.
        case element(Int)
    }

    /// The name of the request, or its title.
    package let request: String
    package let message: Message
    package let part: Part

    static let maximumStepCount = 64

    /// Parses the text between the braces; `nil` if it is not a reference, or has a path in another language, such as XPath.
    init?(_ text: String) {
        let ofRequest = text.firstRange(of: ".request.")
        let ofResponse = text.firstRange(of: ".response.")
        guard let middle = [ofRequest, ofResponse].compactMap(\.self).min(by: { $0.lowerBound < $1.lowerBound }) else {
            return nil
        }
        self.message = middle == ofRequest ? .request : .response
        let name = text[..<middle.lowerBound]
        guard !name.isEmpty, name.utf8.count <= RequestFileLimits.maximumNameByteCount else { return nil }
        var rest = text[middle.upperBound...]
        let place = rest.prefix { $0.isLetter }
        rest = rest[place.endIndex...]
        guard let steps = Self.steps(&rest) else { return nil }
        switch place {
        case "headers":
            guard steps.count == 1, case .member(let field)? = steps.first else { return nil }
            self.part = .field(field)
        case "body":
            self.part = steps.isEmpty || steps == [.member("*")] ? .body : .value(steps.filter { $0 != .member("$") })
        default: return nil
        }
        self.request = String(name)
    }

    /// Parses steps: `.name`, `.$`, `[3]` or `['name']`; `nil` for anything else.
    private static func steps(_ rest: inout Substring) -> [Step]? {
        var steps: [Step] = []
        while let first = rest.popFirst() {
            guard steps.count < Self.maximumStepCount else { return nil }
            if first == ".", rest.first != "[" {
                let name = rest.prefix { !".[]()/@?".contains($0) }
                guard !name.isEmpty else { return nil }
                steps.append(.member(String(name)))
                rest = rest[name.endIndex...]
            } else if first == "[", let end = rest.firstIndex(of: "]") {
                let inside = rest[..<end]
                rest = rest[end...].dropFirst()
                let isQuoted = inside.count > 2 && (inside.hasPrefix("'") || inside.hasPrefix("\""))
                if isQuoted, inside.first == inside.last {
                    steps.append(.member(String(inside.dropFirst().dropLast())))
                } else {
                    guard let index = Int(inside), index >= 0 else { return nil }
                    steps.append(.element(index))
                }
            } else if first != "." {
                return nil
            }
        }
        return steps
    }
}
