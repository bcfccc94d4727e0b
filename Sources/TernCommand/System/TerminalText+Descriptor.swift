// SPDX-License-Identifier: Apache-2.0

extension TerminalText {
    /// Text from outside, as it is written to a descriptor: as it is, unless that is a terminal.
    static func shown(_ text: String, on descriptor: CInt) -> String {
        System.isTerminal(descriptor) ? Self.harmless(text) : text
    }
}
