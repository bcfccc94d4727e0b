// SPDX-License-Identifier: Apache-2.0
import TernCLibrary

package enum SystemError: Sendable {
    /// Returns the system's message for an `errno`, with the number, which a reader can look up.
    package static func text(_ errno: Int32) -> String {
        guard let words = strerror(errno) else { return "the system reported the error \(errno)" }
        return "the system reported the error \(errno): \(String(cString: words))"
    }
}
