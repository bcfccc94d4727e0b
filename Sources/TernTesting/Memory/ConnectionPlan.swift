// SPDX-License-Identifier: Apache-2.0
public import TernConnections

/// The outcome that a test plans for one attempt of a client to connect.
@nonexhaustive
public enum ConnectionPlan: Sendable {
    /// The attempt succeeds. The faults in `toClient` affect the bytes to the client, and those in `toServer` the bytes
    /// to the server. The faults in `http2` affect streams and settings if the client uses HTTP/2.
    case accept(toClient: [Adversity] = [], toServer: [Adversity] = [], http2: [HTTP2Fault] = [])
    /// The attempt fails with this error.
    case refuse(ConnectionError)
    /// The attempt has no outcome: it ends only at its deadline, or when it is cancelled.
    case hang
}
