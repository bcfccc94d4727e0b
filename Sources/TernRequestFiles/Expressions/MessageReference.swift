// SPDX-License-Identifier: Apache-2.0

/// A reference to a part of another request or of its response: `login.response.body.$.user.id`.
package struct MessageReference: Hashable, Sendable {
    /// A message of an exchange.
    package enum Message: Hashable, Sendable {
        case request
        case response
    }

    /// A part of a message.
    package enum Part: Hashable, Sendable {
        /// The value of a field, with its name as written.
        case field(String)
        /// The whole body, as text.
        case body
        /// A value in a body that is JSON, with the steps that lead to it.
        case value([Step])
    }

    /// A step from a JSON value into it.
    package enum Step: Hashable, Sendable {
        /// The member of an object with this name.
        case member(String)
        /// The element of an array at this index, from 0.
        case element(Int)
    }

    /// The name of the request, or its title.
    package let request: String
    /// The message of this request's exchange.
    package let message: Message
    /// The part of the message.
    package let part: Part

    /// The maximum number of steps into JSON: 64.
    static let maximumStepCount = 64

    /// Parses a reference.
    ///
    /// - Parameter text: The text between the braces. The result is `nil` for any other text, and for a path in another
    ///   language, such as XPath.
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
