// SPDX-License-Identifier: Apache-2.0
public import HTTPTypes
public import TernRequests

/// Signs requests just before they are sent, for schemes such as AWS Signature Version 4 or HTTP Message Signatures
/// (RFC 9421).
///
/// The signer sees each attempt after redirects, credentials and interceptors. Afterwards the client only adds the
/// signer's fields.
///
/// A signature lets its bearer act in the name of the program, so the client does not sign for an origin that only a
/// server named. By default it signs a request that goes to the origin of the call's first request. Implement
/// ``signsRequests(to:ofCallTo:)`` to sign for other origins, or for fewer.
public protocol RequestSigner: Sendable {
    /// Returns whether requests to an origin are signed; asked before each attempt.
    ///
    /// A request that is not signed is sent without the signature, and the call continues.
    ///
    /// - Parameters:
    ///   - origin: The origin that the request is sent to.
    ///   - firstOrigin: The origin of the call's first request, which the program named. Equal to `origin` unless a
    ///     redirect led to another origin.
    /// - Returns: Whether the client signs the request. Defaults to `origin == firstOrigin`.
    func signsRequests(to origin: Origin, ofCallTo firstOrigin: Origin) -> Bool

    /// Returns the fields to add to a request.
    ///
    /// They replace the request's fields with the same names. Return no fields to leave the request unchanged.
    ///
    /// - Parameter request: The request as it will be sent, to an origin that ``signsRequests(to:ofCallTo:)`` allows.
    /// - Returns: The fields.
    /// - Throws: Any error. The call then throws `ClientError.authenticationFailed(.signingFailed)`.
    func fields(signing request: SignableRequest) async throws -> HTTPFields
}

extension RequestSigner {
    /// Returns whether the request goes to the origin of the call's first request.
    public func signsRequests(to origin: Origin, ofCallTo firstOrigin: Origin) -> Bool { origin == firstOrigin }
}
