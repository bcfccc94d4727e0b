// SPDX-License-Identifier: Apache-2.0

/// Stores the credentials that answered challenges, for later challenges.
///
/// Several tasks may call the methods at the same time. After a cancellation, a method should return soon.
public protocol CredentialStore: Sendable {
    /// Returns the credential for the protection space of a challenge; `nil` if none is known.
    func credential(for space: ProtectionSpace) async -> Credential?

    /// Stores a credential in place of an earlier one, unless its persistence is ``Credential/Persistence/none``.
    func store(_ credential: Credential, for space: ProtectionSpace) async

    /// Removes the credential for a protection space, because the server refused it; a read-only store need not.
    func remove(for space: ProtectionSpace) async
}
