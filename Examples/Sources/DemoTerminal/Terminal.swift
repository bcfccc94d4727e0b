// SPDX-License-Identifier: Apache-2.0
import Dispatch

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Talks to the user at the terminal, if there is one.
public enum Terminal {
    /// Whether standard input is a terminal, at which a user can type.
    public static var isReading: Bool { isatty(STDIN_FILENO) == 1 }
    /// Whether standard error is a terminal, at which a user can read.
    public static var isShowing: Bool { isatty(STDERR_FILENO) == 1 }

    /// Writes to standard error, without a new line.
    public static func tell(_ text: String) {
        let bytes = Array(text.utf8)
        _ = bytes.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }

    /// Writes a line to standard output at once.
    public static func say(_ line: String) {
        print(line)
        fflush(nil)
    }

    /// Asks the user, and waits without blocking other tasks; `nil` if no user can type or the input has ended.
    public static func ask(_ question: String, isSecret: Bool = false) async -> String? {
        guard Self.isReading else { return nil }
        return await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(
                    returning: isSecret ? Self.withoutEcho { Self.line(question) } : Self.line(question)
                )
            }
        }
    }

    private static func line(_ question: String) -> String? {
        Self.tell(question)
        return readLine()
    }

    private static func withoutEcho<Value>(_ body: () -> Value) -> Value {
        var original = termios()
        guard tcgetattr(STDIN_FILENO, &original) == 0 else { return body() }
        var silent = original
        silent.c_lflag &= ~tcflag_t(ECHO)
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent)
        defer {
            tcsetattr(STDIN_FILENO, TCSAFLUSH, &original)
            Self.tell("\n")
        }
        return body()
    }
}
