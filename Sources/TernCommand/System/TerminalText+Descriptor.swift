// SPDX-License-Identifier: Apache-2.0

extension TerminalText {
    /// Returns text for output on a descriptor: without control characters if it is a terminal, otherwise unchanged.
    static func shown(_ text: String, on descriptor: CInt) -> String {
        System.isTerminal(descriptor) ? Self.sanitized(text) : text
    }
}
