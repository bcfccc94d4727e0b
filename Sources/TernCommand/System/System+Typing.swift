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

    /// How the terminal was before typing began; `nil` while it is so.
    private static let savedMode = Mutex<termios?>(nil)

    /// Makes the terminal send each key as it is pressed, and show none of them; Ctrl-C and Ctrl-Z stay what they are.
    static func beginTyping() {
        var mode = termios()
        guard tcgetattr(Self.standardInput, &mode) == 0 else { return }
        Self.savedMode.withLock { $0 = $0 ?? mode }
        mode.c_lflag &= ~tcflag_t(ICANON | ECHO | IEXTEN)
        withUnsafeMutableBytes(of: &mode.c_cc) { characters in
            characters[Int(VMIN)] = 1
            characters[Int(VTIME)] = 0
        }
        tcsetattr(Self.standardInput, TCSADRAIN, &mode)
    }

    /// Makes the terminal as it was.
    static func endTyping() {
        guard var mode = Self.savedMode.withLock({ $0.take() }) else { return }
        tcsetattr(Self.standardInput, TCSADRAIN, &mode)
    }
}
