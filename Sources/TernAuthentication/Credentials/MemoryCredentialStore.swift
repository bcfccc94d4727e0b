// SPDX-License-Identifier: Apache-2.0

internal import Synchronization
public import TernValues

/// Stores credentials in memory; the default store of a client.
public final class MemoryCredentialStore: CredentialStore {
    private let credentials: Mutex<[ProtectionSpace: Credential]>

    /// Creates a store with credentials, which are stored whatever their persistence is.
    public init(_ credentials: [ProtectionSpace: Credential] = [:]) { self.credentials = Mutex(credentials) }

    public func credential(for space: ProtectionSpace) async -> Credential? {
        self.credentials.withLock { $0[space] }
    }

    public func store(_ credential: Credential, for space: ProtectionSpace) async {
        guard credential.persistence != .none else { return }
        self.credentials.withLock { $0[space] = credential }
    }

    public func remove(for space: ProtectionSpace) async {
        self.credentials.withLock { $0[space] = nil }
    }
}

extension MemoryCredentialStore: CustomStringConvertible, Described {
    package var wording: String { "MemoryCredentialStore of \(self.credentials.withLock { $0.count })" }
}
