// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TernCLibrary

extension System {
    static let resume = SIGCONT

    /// The original modes of terminals, by descriptor; empty while all of them are unchanged.
    private static let savedModes = Mutex<[CInt: termios]>([:])

    /// Opens a terminal for questions; returns `nil` if there is none.
    static func openTerminal(_ path: String) -> CInt? {
        let descriptor = open(path, O_RDWR | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else { return nil }
        if Self.isTerminal(descriptor) { return descriptor }
        Self.close(descriptor)
        return nil
    }

    /// Makes the terminal send each key when it is pressed, without showing it; Ctrl-C and Ctrl-Z keep their meaning.
    static func beginTyping() {
        Self.change(Self.standardInput, TCSADRAIN) { mode in
            mode.c_lflag &= ~tcflag_t(ICANON | ECHO | IEXTEN)
            withUnsafeMutableBytes(of: &mode.c_cc) { characters in
                characters[Int(VMIN)] = 1
                characters[Int(VTIME)] = 0
            }
        }
    }

    /// Hides the line that the user types, except for its line break, and discards text that was typed before.
    ///
    /// Ctrl-C keeps its meaning. Ctrl-Z and Ctrl-\ have no effect, because they would leave the shell with a terminal
    /// that hides what is typed.
    static func beginHiding(_ descriptor: CInt) {
        let none = UInt8(truncatingIfNeeded: fpathconf(descriptor, CInt(_PC_VDISABLE)))
        Self.change(descriptor, TCSAFLUSH) { mode in
            mode.c_lflag &= ~tcflag_t(ECHO)
            mode.c_lflag |= tcflag_t(ECHONL | ICANON | ISIG)
            withUnsafeMutableBytes(of: &mode.c_cc) { characters in
                characters[Int(VSUSP)] = none
                characters[Int(VQUIT)] = none
            }
        }
    }

    private static func change(_ descriptor: CInt, _ when: CInt, _ change: (inout termios) -> Void) {
        var mode = termios()
        guard tcgetattr(descriptor, &mode) == 0 else { return }
        Self.savedModes.withLock { $0[descriptor] = $0[descriptor] ?? mode }
        change(&mode)
        tcsetattr(descriptor, when, &mode)
    }

    /// Restores the original mode of a terminal, or of all terminals if the descriptor is `nil`.
    static func endTyping(_ descriptor: CInt? = nil) {
        let modes = Self.savedModes.withLock { modes in
            let ended = modes.filter { descriptor == nil || $0.key == descriptor }
            for descriptor in ended.keys { modes[descriptor] = nil }
            return ended
        }
        for (descriptor, mode) in modes {
            var mode = mode
            tcsetattr(descriptor, TCSADRAIN, &mode)
        }
    }

    /// Writes a text; ignores failures.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - descriptor: The descriptor to write to.
    ///   - continuesLine: Whether the text may continue the last line of a body on the same terminal. Defaults to
    ///     `false`: the text then begins on a new line.
    static func show(_ text: String, on descriptor: CInt, continuesLine: Bool = false) {
        var text = text
        if !continuesLine, !text.isEmpty, OpenLine.end(on: descriptor) { text = "\n" + text }
        text.withUTF8 { try? Self.write(UnsafeRawBufferPointer($0), to: descriptor) }
    }

    static func close(_ descriptor: CInt) { _ = platformClose(descriptor) }
}

private func platformClose(_ descriptor: CInt) -> CInt { close(descriptor) }
