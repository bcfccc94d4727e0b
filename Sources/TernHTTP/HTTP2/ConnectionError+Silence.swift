// SPDX-License-Identifier: Apache-2.0
import TernCLibrary
import TernConnections

extension ConnectionError {
    /// The error of a connection whose server no longer answers, as the system reports it for TCP.
    static var silence: ConnectionError { .system(errno: ETIMEDOUT) }
}
