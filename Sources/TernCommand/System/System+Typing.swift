// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TernCLibrary

extension System {
    static let resume = SIGCONT

    /// The original modes of terminals, by descriptor; empty while all of them are unchanged.
    private static let savedModes = Mutex<[CInt: termios]>([:])

    static func openTerminal(_ path: String) -> CInt? {
        let descriptor = open(path, O_RDWR | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else { return nil }
        if Self.isTerminal(descriptor) { return descriptor }
        Self.close(descriptor)
        return nil
    }

    /// Sends each key when it is pressed, without showing it; Ctrl-C and Ctrl-Z keep their meaning.
    static func beginTyping() {
        Self.change(Self.standardInput, TCSADRAIN) { mode in
            mode.c_lflag &= ~tcflag_t(ICANON | ECHO | IEXTEN)
            withUnsafeMutableBytes(of: &mode.c_cc) { characters in
                characters[Int(VMIN)] = 1
                characters[Int(VTIME)] = 0
            }
        }
    }

    /// Hides and discards typed text; Ctrl-Z and Ctrl-\ would leave the shell with a terminal that hides text, so they have no
    /// effect.
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

    /// Writes a text on a new line unless it may continue the last line of a body; ignores failures.
    static func show(_ text: String, on descriptor: CInt, continuesLine: Bool = false) {
        var text = text
        if !continuesLine, !text.isEmpty, OpenLine.end(on: descriptor) { text = "\n" + text }
        text.withUTF8 { try? Self.write(UnsafeRawBufferPointer($0), to: descriptor) }
    }

    static func close(_ descriptor: CInt) { _ = platformClose(descriptor) }
}

private func platformClose(_ descriptor: CInt) -> CInt { close(descriptor) }
