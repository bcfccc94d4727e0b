// SPDX-License-Identifier: Apache-2.0

extension TerminalText {
    /// Replaces control characters if the descriptor is a terminal.
    static func shown(_ text: String, on descriptor: CInt) -> String {
        System.isTerminal(descriptor) ? Self.sanitized(text) : text
    }
}
