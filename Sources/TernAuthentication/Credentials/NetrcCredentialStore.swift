// SPDX-License-Identifier: Apache-2.0

internal import TernRequests

/// Provides the user names and passwords of a `.netrc` file for Basic and Digest; read-only.
///
/// The scheme and the port of an origin do not matter: an entry applies even over plain `http`, where Basic shows the password to
/// the network. It never applies to a proxy.
public struct NetrcCredentialStore: CredentialStore {
    private let netrc: Netrc

    /// Creates a store for a parsed file.
    public init(_ netrc: Netrc) { self.netrc = netrc }

    public func credential(for space: ProtectionSpace) async -> Credential? {
        guard !space.isProxy, space.scheme == .basic || space.scheme == .digest else { return nil }
        guard let entry = self.netrc.entry(forHost: space.origin.host) else { return nil }
        return Credential(user: entry.user, password: entry.password)
    }

    public func store(_ credential: Credential, for space: ProtectionSpace) async {}

    public func remove(for space: ProtectionSpace) async {}
}
