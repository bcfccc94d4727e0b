// SPDX-License-Identifier: Apache-2.0

/// Stores credentials between challenges.
///
/// The methods are asynchronous, so that a keychain, a file or another process can hold the credentials. Several tasks
/// may call them at the same time. After cancellation, a method should return soon; its result is then not used.
public protocol CredentialStore: Sendable {
    /// Returns the credential for a protection space.
    ///
    /// - Parameter space: The space of a challenge.
    /// - Returns: The credential; `nil` if none is known.
    func credential(for space: ProtectionSpace) async -> Credential?

    /// Stores a credential for a protection space; replaces an earlier one.
    ///
    /// - Parameters:
    ///   - credential: The credential. If its persistence is ``Credential/Persistence/none``, it must not be stored.
    ///   - space: The space of the challenge that it answered.
    func store(_ credential: Credential, for space: ProtectionSpace) async

    /// Removes the credential for a protection space, because the server refused it.
    ///
    /// A store that cannot remove credentials, such as a read-only one, may keep returning it; the client sends it only
    /// once for a request.
    ///
    /// - Parameter space: The space of the challenge.
    func remove(for space: ProtectionSpace) async
}
