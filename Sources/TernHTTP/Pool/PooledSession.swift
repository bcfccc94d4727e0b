// SPDX-License-Identifier: Apache-2.0
import TernTransport

/// A session of the pool: what it runs on, and its number there.
final class PooledSession: Sendable {
    typealias Number = ConnectionPool.Machine.MemberNumber

    let session: any HTTPSession
    let established: EstablishedConnection
    let number: Number
    /// The call that dialed: its delegate has seen the handshake.
    let dialer: HTTPCall.Number

    init(
        _ session: any HTTPSession,
        _ established: EstablishedConnection,
        number: Number,
        dialedBy dialer: HTTPCall.Number
    ) {
        self.session = session
        self.established = established
        self.number = number
        self.dialer = dialer
    }
}
