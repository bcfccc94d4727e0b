// SPDX-License-Identifier: Apache-2.0
import TernCLibrary

/// Texts for errors of the operating system.
package enum SystemError: Sendable {
    /// Returns a text with the system's message for an `errno`, and with the number itself, which a reader can look up.
    package static func text(_ errno: Int32) -> String {
        guard let words = strerror(errno) else { return "the system reported the error \(errno)" }
        return "the system reported the error \(errno): \(String(cString: words))"
    }
}
