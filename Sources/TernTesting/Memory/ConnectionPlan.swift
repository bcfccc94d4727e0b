// SPDX-License-Identifier: Apache-2.0
public import TernConnections

/// The outcome that a test plans for one attempt of a client to connect.
@nonexhaustive
public enum ConnectionPlan: Sendable {
    /// The connection is made. The faults affect the bytes to the client and to the server, and the streams and
    /// settings if the client uses HTTP/2.
    case accept(toClient: [Adversity] = [], toServer: [Adversity] = [], http2: [HTTP2Fault] = [])
    /// The attempt fails with this error.
    case refuse(ConnectionError)
    /// The attempt has no outcome: it ends only at its deadline, or when it is cancelled.
    case hang
}
