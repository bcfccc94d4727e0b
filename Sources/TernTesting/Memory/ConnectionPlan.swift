// SPDX-License-Identifier: Apache-2.0
public import TernConnections

/// The outcome that a test plans for one attempt of a client to connect.
@nonexhaustive
public enum ConnectionPlan: Sendable {
    /// The attempt succeeds, with faults of the bytes in each direction, and with faults that only HTTP/2 has.
    case accept(toClient: [Adversity] = [], toServer: [Adversity] = [], http2: [HTTP2Fault] = [])
    /// The attempt fails with this error.
    case refuse(ConnectionError)
    /// The attempt has no outcome: it ends only at its deadline, or when it is cancelled.
    case hang
}
