// SPDX-License-Identifier: Apache-2.0
public import TernErrors

/// A step of a ``Connector`` on its way to a connection.
///
/// The cases are in the order in which they happen.
@nonexhaustive
public enum ConnectionMilestone: Hashable, Sendable {
    /// A host name is being looked up.
    case resolving
    /// The host name was resolved to this many addresses.
    case resolved(addressCount: Int)
    /// A connection to one address, `host:port`, is being established; there may be several at once (RFC 8305).
    case attempting(address: String)
    /// A connection to one address was established, or failed; `interrupted` if another was faster.
    case attempted(address: String, ConnectionFailure?)
}
