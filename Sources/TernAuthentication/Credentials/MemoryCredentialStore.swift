// SPDX-License-Identifier: Apache-2.0

internal import Synchronization
public import TernValues

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

extension MemoryCredentialStore: CustomStringConvertible, Described {
    /// How many credentials it keeps.
    package var wording: String { "MemoryCredentialStore of \(self.credentials.withLock { $0.count })" }
}
