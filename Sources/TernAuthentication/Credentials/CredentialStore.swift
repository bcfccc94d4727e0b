// SPDX-License-Identifier: Apache-2.0

/// Stores the credentials that answered challenges, for later challenges.
///
/// The methods are asynchronous, so that a keychain, a file or another process can hold the credentials. Several tasks
/// may call them at the same time. After a cancellation, a method should return soon, because the client no longer uses
/// its result.
public protocol CredentialStore: Sendable {
    /// Returns the credential for a protection space.
    ///
    /// - Parameter space: The space of a challenge.
    /// - Returns: The credential; `nil` if none is known.
    func credential(for space: ProtectionSpace) async -> Credential?

    /// Stores a credential for a protection space, in place of an earlier one.
    ///
    /// - Parameters:
    ///   - credential: The credential. The store must ignore a credential whose persistence is
    ///     ``Credential/Persistence/none``.
    ///   - space: The space of the challenge that the credential answered.
    func store(_ credential: Credential, for space: ProtectionSpace) async

    /// Removes the credential for a protection space, because the server refused it.
    ///
    /// A read-only store cannot remove the credential, and may continue to return it. After a refusal, the client does
    /// not send the credential again for the same request.
    ///
    /// - Parameter space: The space of the challenge.
    func remove(for space: ProtectionSpace) async
}
