// SPDX-License-Identifier: Apache-2.0
public import TernErrors

/// A step of a ``Connector`` while it establishes a connection.
@nonexhaustive
public enum ConnectionMilestone: Hashable, Sendable {
    /// A host name is being looked up.
    case resolving
    /// The host name was resolved to this many usable addresses.
    case resolved(addressCount: Int)
    /// The connector begins to connect to one address, such as `192.0.2.1:443`; several attempts may overlap (RFC 8305).
    case attempting(address: String)
    /// An attempt has succeeded (`nil`), or failed, for example as `.interrupted` if another was faster or the caller gave up.
    case attempted(address: String, ConnectionFailure?)
}
