// SPDX-License-Identifier: Apache-2.0

internal import Synchronization
public import TernValues

/// Stores credentials in memory, until the store is deallocated.
///
/// By default, a client uses a store of this type.
public final class MemoryCredentialStore: CredentialStore {
    private let credentials: Mutex<[ProtectionSpace: Credential]>

    /// Creates a store.
    ///
    /// - Parameter credentials: The initial credentials, stored even if their persistence is
    ///   ``Credential/Persistence/none``. Defaults to no credentials.
    public init(_ credentials: [ProtectionSpace: Credential] = [:]) { self.credentials = Mutex(credentials) }

    /// Returns the credential for exactly this protection space; never suspends.
    ///
    /// - Parameter space: The space of a challenge.
    /// - Returns: The credential; `nil` if none is known.
    public func credential(for space: ProtectionSpace) async -> Credential? {
        self.credentials.withLock { $0[space] }
    }

    /// Stores a credential, or ignores it if its persistence is ``Credential/Persistence/none``.
    ///
    /// The credential replaces an earlier one for the same space. The method never suspends.
    ///
    /// - Parameters:
    ///   - credential: The credential.
    ///   - space: The space of the challenge that the credential answered.
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
