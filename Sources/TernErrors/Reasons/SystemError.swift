// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Texts for errors of the operating system.
package enum SystemError: Sendable {
    /// Returns a text with the number of an `errno`, which a reader can look up, and the system's words for it.
    package static func text(_ errno: Int32) -> String {
        guard let words = strerror(errno) else { return "the system reported the error \(errno)" }
        return "the system reported the error \(errno): \(String(cString: words))"
    }
}
