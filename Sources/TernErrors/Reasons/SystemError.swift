// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Errors of the operating system, for people.
package enum SystemError: Sendable {
    /// The system's own words for an `errno`, with the number, by which it is found in documentation.
    package static func text(_ errno: Int32) -> String {
        guard let words = strerror(errno) else { return "system error \(errno)" }
        return "system error \(errno): \(String(cString: words))"
    }
}
