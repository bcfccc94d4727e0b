// SPDX-License-Identifier: Apache-2.0
import TernConnections

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

extension ConnectionError {
    /// The error of a connection whose server no longer answers, as the system reports it for TCP.
    static var silence: ConnectionError { .system(errno: ETIMEDOUT) }
}
