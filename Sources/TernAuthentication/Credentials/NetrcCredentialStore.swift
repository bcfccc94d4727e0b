// SPDX-License-Identifier: Apache-2.0

internal import TernRequests

/// Gives the names and passwords of a `.netrc` file to Basic and Digest; it only reads.
///
/// A file names hosts and nothing else: neither scheme nor port nor realm. So an entry is given to every origin on its
/// host, also to one over plain `http`, where Basic shows the password to the network; curl does the same. It is
/// never given to a proxy.
public struct NetrcCredentialStore: CredentialStore {
    private let netrc: Netrc

    /// Creates a store.
    ///
    /// - Parameter netrc: the file.
    public init(_ netrc: Netrc) { self.netrc = netrc }

    /// The name and password of the host of a protection space; never suspends.
    ///
    /// - Parameter space: the space of a challenge.
    /// - Returns: `nil` for a proxy, for a scheme other than Basic and Digest, and if the file has no entry for the
    ///   host.
    public func credential(for space: ProtectionSpace) async -> Credential? {
        guard !space.isProxy, space.scheme == .basic || space.scheme == .digest else { return nil }
        guard let entry = self.netrc.entry(forHost: space.origin.host) else { return nil }
        return Credential(user: entry.user, password: entry.password)
    }

    /// Does nothing: the file is the user's.
    ///
    /// - Parameters:
    ///   - credential: is not kept.
    ///   - space: the space that it is for.
    public func store(_ credential: Credential, for space: ProtectionSpace) async {}

    /// Does nothing: the file is the user's.
    ///
    /// - Parameter space: the space of the challenge.
    public func remove(for space: ProtectionSpace) async {}
}
