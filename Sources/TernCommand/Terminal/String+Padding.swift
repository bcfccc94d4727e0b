// SPDX-License-Identifier: Apache-2.0

extension String {
    /// The text with spaces, to a width; unchanged if it is wider.
    ///
    /// - Parameters:
    ///   - width: how many characters there are to be.
    ///   - isRight: whether the text stands on the right, behind the spaces; not by default.
    /// - Returns: the text and the spaces.
    func padding(to width: Int, isRight: Bool = false) -> String {
        let spaces = String(repeating: " ", count: max(0, width - self.count))
        return isRight ? spaces + self : self + spaces
    }
}
