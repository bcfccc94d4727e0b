// SPDX-License-Identifier: Apache-2.0

internal import Synchronization
internal import TernRequests

/// Where credentials are kept between challenges.
///
/// The methods are asynchronous, so that a keychain, a file or another process can be behind them. They are called by
/// several tasks at once. On cancellation a method should return soon; what it returns is not used then.
public protocol CredentialStore: Sendable {
    /// The credential of a protection space.
    ///
    /// - Parameter space: the space of a challenge.
    /// - Returns: `nil` if none is known.
    func credential(for space: ProtectionSpace) async -> Credential?

    /// Keeps a credential that was given for a protection space, in place of the one before.
    ///
    /// - Parameters:
    ///   - credential: the credential; one whose persistence is ``Credential/Persistence/none`` must not be kept.
    ///   - space: the space of the challenge that it answered.
    func store(_ credential: Credential, for space: ProtectionSpace) async

    /// Forgets the credential of a protection space, because it was refused.
    ///
    /// A store that cannot, such as one that only reads, may go on returning it; the client sends it only once for a request.
    ///
    /// - Parameter space: the space of the challenge.
    func remove(for space: ProtectionSpace) async
}

/// Keeps credentials in memory, for as long as it lives; the default store.
public final class MemoryCredentialStore: CredentialStore {
    private let credentials: Mutex<[ProtectionSpace: Credential]>

    /// Creates a store.
    ///
    /// - Parameter credentials: what is known from the start, whatever its persistence; nothing by default.
    public init(_ credentials: [ProtectionSpace: Credential] = [:]) { self.credentials = Mutex(credentials) }

    /// The credential of exactly this protection space; never suspends.
    ///
    /// - Parameter space: the space of a challenge.
    /// - Returns: `nil` if none is known.
    public func credential(for space: ProtectionSpace) async -> Credential? {
        self.credentials.withLock { $0[space] }
    }

    /// Keeps a credential in place of the one before, unless its persistence is none; never suspends.
    ///
    /// - Parameters:
    ///   - credential: the credential.
    ///   - space: the space that it is for.
    public func store(_ credential: Credential, for space: ProtectionSpace) async {
        guard credential.persistence != .none else { return }
        self.credentials.withLock { $0[space] = credential }
    }

    /// Forgets the credential of exactly this protection space; never suspends.
    ///
    /// - Parameter space: the space of the challenge.
    public func remove(for space: ProtectionSpace) async {
        self.credentials.withLock { $0[space] = nil }
    }
}

extension MemoryCredentialStore: CustomStringConvertible, CustomReflectable {
    /// How many credentials it keeps.
    public var description: String { "MemoryCredentialStore of \(self.credentials.withLock { $0.count })" }

    /// Shows nothing to `dump`.
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .class) }
}

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
