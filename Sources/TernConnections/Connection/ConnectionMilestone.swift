// SPDX-License-Identifier: Apache-2.0
public import TernErrors

/// A step of a ``Connector`` while it establishes a connection, in the order in which the steps happen.
@nonexhaustive
public enum ConnectionMilestone: Hashable, Sendable {
    /// A host name is being looked up.
    case resolving
    /// The host name was resolved to this many addresses.
    case resolved(addressCount: Int)
    /// The connector begins to connect to one address, `host:port`; several attempts may overlap (RFC 8305).
    case attempting(address: String)
    /// An attempt has ended: with `nil` if it succeeded, `.interrupted` if another was faster or the caller gave up.
    case attempted(address: String, ConnectionFailure?)
}
