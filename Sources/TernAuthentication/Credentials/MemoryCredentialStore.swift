// SPDX-License-Identifier: Apache-2.0

internal import Synchronization
public import TernValues

/// Stores credentials in memory, for its own lifetime.
///
/// This is the default store.
public final class MemoryCredentialStore: CredentialStore {
    private let credentials: Mutex<[ProtectionSpace: Credential]>

    /// Creates a store.
    ///
    /// - Parameter credentials: The initial credentials, whatever their persistence. Defaults to none.
    public init(_ credentials: [ProtectionSpace: Credential] = [:]) { self.credentials = Mutex(credentials) }

    /// Returns the credential for exactly this protection space; never suspends.
    ///
    /// - Parameter space: The space of a challenge.
    /// - Returns: The credential; `nil` if none is known.
    public func credential(for space: ProtectionSpace) async -> Credential? {
        self.credentials.withLock { $0[space] }
    }

    /// Stores a credential unless its persistence is ``Credential/Persistence/none``; replaces an earlier one.
    ///
    /// Never suspends.
    ///
    /// - Parameters:
    ///   - credential: The credential.
    ///   - space: The space of the challenge that it answered.
    public func store(_ credential: Credential, for space: ProtectionSpace) async {
        guard credential.persistence != .none else { return }
        self.credentials.withLock { $0[space] = credential }
    }

    /// Removes the credential for exactly this protection space; never suspends.
    ///
    /// - Parameter space: The space of the challenge.
    public func remove(for space: ProtectionSpace) async {
        self.credentials.withLock { $0[space] = nil }
    }
}

extension MemoryCredentialStore: CustomStringConvertible, Described {
    /// The number of stored credentials.
    package var wording: String { "MemoryCredentialStore of \(self.credentials.withLock { $0.count })" }
}
