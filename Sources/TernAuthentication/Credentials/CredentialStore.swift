// SPDX-License-Identifier: Apache-2.0

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
