// SPDX-License-Identifier: Apache-2.0
public import TernErrors

/// The steps of a ``Connector`` on its way to a connection, in the order in which they happen.
@nonexhaustive
public enum ConnectionMilestone: Hashable, Sendable {
    /// A host name is being looked up.
    case resolving
    /// The host name was looked up, and has so many addresses.
    case resolved(addressCount: Int)
    /// A connection to one address, `host:port`, is being established; there may be several at once (RFC 8305).
    case attempting(address: String)
    /// The connection to one address is established, or why it is not; `interrupted` where another was faster.
    case attempted(address: String, ConnectionFailure?)
}
