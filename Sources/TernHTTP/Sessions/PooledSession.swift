// SPDX-License-Identifier: Apache-2.0
import TernTransport

final class PooledSession: Sendable {
    let session: any HTTPSession
    let established: EstablishedConnection
    let target: ConnectionTarget
    let number: SessionNumber
    /// The call that made the connection, whose delegate has seen the TLS handshake.
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
