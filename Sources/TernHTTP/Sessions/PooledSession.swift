// SPDX-License-Identifier: Apache-2.0
import TernTransport

/// A session of the pool: what it runs on, and its number there.
final class PooledSession: Sendable {
    let session: any HTTPSession
    let established: EstablishedConnection
    let number: SessionNumber
    /// The call that dialed: its delegate has seen the handshake.
    let dialer: HTTPCall.Number

    init(
        _ session: any HTTPSession,
        _ established: EstablishedConnection,
        number: SessionNumber,
        dialedBy dialer: HTTPCall.Number
    ) {
        self.session = session
        self.established = established
        self.number = number
        self.dialer = dialer
    }
}
