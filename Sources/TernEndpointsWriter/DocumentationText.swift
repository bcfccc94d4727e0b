// SPDX-License-Identifier: Apache-2.0

/// Comments of a request file as documentation comments.
enum DocumentationText {
    /// The lines of a comment: the first sentence stands on its own.
    ///
    /// - Parameters:
    ///   - title: what follows `###`; `nil` if there is none, and the first line of the text is the title.
    ///   - text: the comments.
    /// - Returns: the lines, each with its slashes.
    static func lines(title: String?, _ text: [String]) -> [String] {
        var rest = text[...]
        while rest.first?.isEmpty == true { rest.removeFirst() }
        while rest.last?.isEmpty == true { rest.removeLast() }
        let first = title ?? rest.popFirst() ?? ""
        if title == nil {
            // A sentence that goes over several lines is kept together.
            guard self.isSentence(first) || rest.isEmpty || rest.first?.isEmpty == true else {
                return ([first] + rest).map(self.line)
            }
        }
        while rest.first?.isEmpty == true { rest.removeFirst() }
        let summary = self.isSentence(first) ? first : "\(first)."
        return [self.line(summary)] + (rest.isEmpty ? [] : ["///"]) + rest.map(self.line)
    }

    /// A sentence that begins in lower case, without a period.
    static func clause(_ text: String) -> String { self.isSentence(text) ? text : "\(text)." }

    private static func isSentence(_ text: String) -> Bool { text.last.map { ".!?:".contains($0) } ?? false }

    private static func line(_ text: String) -> String { text.isEmpty ? "///" : "/// \(text)" }
}
