// SPDX-License-Identifier: Apache-2.0
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

extension System {
    static let resume = SIGCONT

    /// How terminals were before typing began, by descriptor; empty while all are so.
    private static let savedModes = Mutex<[CInt: termios]>([:])

    /// Opens a terminal to ask on; `nil` if there is none.
    static func openTerminal(_ path: String) -> CInt? {
        let descriptor = open(path, O_RDWR | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else { return nil }
        if Self.isTerminal(descriptor) { return descriptor }
        Self.close(descriptor)
        return nil
    }

    /// Makes the terminal send each key as it is pressed, and show none of them; Ctrl-C and Ctrl-Z stay what they are.
    static func beginTyping() {
        Self.change(Self.standardInput, TCSADRAIN) { mode in
            mode.c_lflag &= ~tcflag_t(ICANON | ECHO | IEXTEN)
            withUnsafeMutableBytes(of: &mode.c_cc) { characters in
                characters[Int(VMIN)] = 1
                characters[Int(VTIME)] = 0
            }
        }
    }

    /// Makes a terminal show nothing of the line that is typed but its end; what was typed before is forgotten.
    ///
    /// Ctrl-C stays what it is. Ctrl-Z and Ctrl-\ do nothing meanwhile: they would leave the shell with a terminal that
    /// shows nothing.
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

    /// Makes a terminal as it was; by default all of them.
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

    /// Writes a text; ignores a failure of that.
    static func show(_ text: String, on descriptor: CInt) {
        var text = text
        text.withUTF8 { try? Self.write(UnsafeRawBufferPointer($0), to: descriptor) }
    }

    static func close(_ descriptor: CInt) { _ = platformClose(descriptor) }
}

private func platformClose(_ descriptor: CInt) -> CInt { close(descriptor) }
