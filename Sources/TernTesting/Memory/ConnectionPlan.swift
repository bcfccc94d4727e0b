// SPDX-License-Identifier: Apache-2.0
public import TernConnections

/// The planned outcome of one attempt to connect.
@nonexhaustive
public enum ConnectionPlan: Sendable {
    /// The connection is made; the faults affect the bytes of each direction.
    case accept(toClient: [Adversity] = [], toServer: [Adversity] = [])
    /// The attempt fails.
    case refuse(ConnectionError)
    /// The attempt neither succeeds nor fails, until its deadline or its cancellation.
    case hang
}
