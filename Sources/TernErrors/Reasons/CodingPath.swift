// SPDX-License-Identifier: Apache-2.0

/// Says where in a value something is, without anything of the value.
package enum CodingPath {
    /// How many steps of a path are named; what lies deeper is left out, because its depth is the server's choice.
    private static let maximumStepCount = 16

    /// The path as text: names of the program's own members and numbers of elements, such as `users[3].name`.
    ///
    /// Other keys are content: each is written as `*`.
    package static func text(of path: [any CodingKey]) -> String {
        var text = ""
        for key in path.prefix(self.maximumStepCount) {
            if let index = self.index(key) {
                text += "[\(index)]"
            } else {
                if !text.isEmpty { text += "." }
                text += self.isNamedByProgram(key) ? key.stringValue : "*"
            }
        }
        return path.count > self.maximumStepCount ? "\(text)…" : text
    }

    /// The number of an element of a list.
    ///
    /// Coders give it the text `Index 3`. A number alone tells nothing: the key of a dictionary may be one.
    private static func index(_ key: any CodingKey) -> Int? {
        guard let number = key.intValue, key.stringValue == "Index \(number)" else { return nil }
        return number
    }

    /// Whether a key is a case of an enumeration, as the compiler makes them: such names are the program's.
    ///
    /// Those of a dictionary, and those that a type makes of what it finds, are content. Decoders have hidden types for
    /// them, or the program has a structure.
    private static func isNamedByProgram(_ key: any CodingKey) -> Bool {
        let mirror = Mirror(reflecting: key)
        return mirror.displayStyle == .enum && mirror.children.isEmpty && !"\(mirror.subjectType)".hasPrefix("_")
    }
}
