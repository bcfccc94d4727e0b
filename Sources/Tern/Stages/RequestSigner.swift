// SPDX-License-Identifier: Apache-2.0
public import HTTPTypes
public import TernRequests

/// Signs requests just before they are sent, for schemes such as AWS Signature Version 4 or HTTP Message Signatures (RFC 9421).
///
/// The client asks the signer in each attempt that it sends, after redirects, credentials and interceptors changed the request.
public protocol RequestSigner: Sendable {
    /// Returns whether the client signs requests to an origin; if not, it sends them without a signature.
    ///
    /// The receiver of a signature can act in the name of the program. So by default, the client signs only requests to the
    /// origin of the call's first request, and not to another origin that a server named in a redirect.
    ///
    /// - Parameters:
    ///   - origin: The origin that receives the request.
    ///   - firstOrigin: The origin of the call's first request, which the program chose.
    /// - Returns: Whether the client signs the request. Defaults to `origin == firstOrigin`.
    func signsRequests(to origin: Origin, ofCallTo firstOrigin: Origin) -> Bool

    /// Returns the fields to add to a request, in place of those with the same names.
    ///
    /// - Parameter request: The request as the client will send it, to an origin that ``signsRequests(to:ofCallTo:)`` allows.
    /// - Returns: The fields; none leave the request unchanged.
    /// - Throws: Any error. The call then throws `ClientError.interceptorFailed`, which contains that error.
    func fields(signing request: SignableRequest) async throws -> HTTPFields
}

extension RequestSigner {
    /// Returns whether the two origins are equal.
    public func signsRequests(to origin: Origin, ofCallTo firstOrigin: Origin) -> Bool { origin == firstOrigin }
}
