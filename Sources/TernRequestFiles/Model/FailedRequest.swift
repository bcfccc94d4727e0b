// SPDX-License-Identifier: Apache-2.0

/// A request of a file that cannot be sent, because it breaks a rule.
package struct FailedRequest: Hashable, Sendable {
    package let name: String?
    package let title: String?
    /// The position of the request line, or of the error if there is no request line.
    package let position: TextPosition
    package let error: Diagnostic

    /// The name, the title or the line of the request, as a message mentions it.
    package var label: String {
        if let text = self.name ?? self.title { return "request '\(text)'" }
        return "the request on line \(self.position.line)"
    }
}

extension FailedRequest: CustomStringConvertible {
    /// The line in the format of compilers.
    package var description: String { "\(self.error.position): error: \(self.label): \(self.error.rule)" }
}
