// SPDX-License-Identifier: Apache-2.0

internal import TernRequests

/// Provides the user names and passwords of a `.netrc` file for Basic and Digest.
///
/// The store is read-only.
///
/// A `.netrc` file names hosts, but no schemes, ports or realms. An entry therefore applies to every origin on its
/// host, even over plain `http`, where Basic shows the password to the network. curl does the same. An entry never
/// applies to a proxy.
public struct NetrcCredentialStore: CredentialStore {
    private let netrc: Netrc

    /// Creates a store.
    ///
    /// - Parameter netrc: The parsed file.
    public init(_ netrc: Netrc) { self.netrc = netrc }

    /// Returns the user name and password for the host of a protection space; never suspends.
    ///
    /// - Parameter space: The space of a challenge.
    /// - Returns: The credential. `nil` for a proxy, for a scheme other than Basic and Digest, and if no entry for the
    ///   host has both a user name and a password.
    public func credential(for space: ProtectionSpace) async -> Credential? {
        guard !space.isProxy, space.scheme == .basic || space.scheme == .digest else { return nil }
        guard let entry = self.netrc.entry(forHost: space.origin.host) else { return nil }
        return Credential(user: entry.user, password: entry.password)
    }

    /// Does nothing, because the file belongs to the user.
    ///
    /// - Parameters:
    ///   - credential: The credential, which is not stored.
    ///   - space: The space of the challenge that the credential answered.
    public func store(_ credential: Credential, for space: ProtectionSpace) async {}

    /// Does nothing, because the file belongs to the user.
    ///
    /// - Parameter space: The space of the challenge.
    public func remove(for space: ProtectionSpace) async {}
}
