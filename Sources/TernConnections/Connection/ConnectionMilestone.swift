// SPDX-License-Identifier: Apache-2.0
public import TernErrors

/// A step of a ``Connector`` while it establishes a connection.
///
/// The cases are in the order in which they happen.
@nonexhaustive
public enum ConnectionMilestone: Hashable, Sendable {
    /// A host name is being looked up.
    case resolving
    /// The host name was resolved to this many addresses.
    case resolved(addressCount: Int)
    /// The connector begins to connect to one address, `host:port`. Several attempts may overlap (RFC 8305).
    case attempting(address: String)
    /// The attempt to connect to one address has ended. The failure is `nil` if the attempt succeeded, and
    /// `.interrupted` if another address was faster or the caller gave up.
    case attempted(address: String, ConnectionFailure?)
}
