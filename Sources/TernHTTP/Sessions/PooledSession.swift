// SPDX-License-Identifier: Apache-2.0
import TernTransport

/// A session in the pool, with its connection and its number.
final class PooledSession: Sendable {
    let session: any HTTPSession
    let established: EstablishedConnection
    /// The target that the connection was made for.
    let target: ConnectionTarget
    let number: SessionNumber
    /// The number of the call that made the connection.
    ///
    /// The delegate of that call has seen the TLS handshake.
    let dialer: HTTPCall.Number

    init(
        _ session: any HTTPSession,
        _ established: EstablishedConnection,
        to target: ConnectionTarget,
        number: SessionNumber,
        dialedBy dialer: HTTPCall.Number
    ) {
        self.session = session
        self.established = established
        self.target = target
        self.number = number
        self.dialer = dialer
    }
}
