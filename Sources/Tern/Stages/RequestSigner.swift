// SPDX-License-Identifier: Apache-2.0
public import HTTPTypes
public import TernRequests

/// Signs requests as they leave, for schemes such as AWS Signature Version 4 or HTTP Message Signatures (RFC 9421).
///
/// It sees each attempt, after all else: redirects, credentials and interceptors have had their say, and nothing changes
/// afterwards but what it adds.
///
/// A signature lets its bearer act in the name of the program, so it is not made for an origin that only a server named. By
/// default a request is signed if it goes to the origin of the call's first request. Implement
/// ``signsRequests(to:ofCallTo:)`` to sign for other origins, or for fewer.
public protocol RequestSigner: Sendable {
    /// Returns whether requests to an origin are signed; asked before each attempt.
    ///
    /// A request that is not signed goes out without the signature; the call goes on.
    ///
    /// - Parameters:
    ///   - origin: The origin that the request is sent to.
    ///   - firstOrigin: The origin of the call's first request, before any redirect: the one that the program named. Equal to
    ///     `origin` unless a redirect led elsewhere.
    /// - Returns: Whether the request is signed. Defaults to `origin == firstOrigin`.
    func signsRequests(to origin: Origin, ofCallTo firstOrigin: Origin) -> Bool

    /// The fields to add to a request, in place of what it has under their names; none leaves it as it is.
    ///
    /// - Parameter request: the request as it will be sent, to an origin of which ``signsRequests(to:ofCallTo:)`` said yes.
    /// - Returns: the fields.
    /// - Throws: any error, which ends the call with `ClientError.authenticationFailed(.signingFailed)`.
    func fields(signing request: SignableRequest) async throws -> HTTPFields
}

extension RequestSigner {
    /// Returns whether the request goes to the origin of the call's first request, and nowhere that a redirect named.
    public func signsRequests(to origin: Origin, ofCallTo firstOrigin: Origin) -> Bool { origin == firstOrigin }
}
