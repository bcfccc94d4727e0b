// SPDX-License-Identifier: Apache-2.0
public import HTTPTypes
import TernErrors
public import TernRequests
import TernTransport

/// Has requests signed, last of all stages: nothing of what is signed changes after it.
struct Signing: Stage {
    let signer: any RequestSigner

    func respond(to call: Call, next: Next) async throws(ClientError) -> Reply {
        var call = call
        let request = SignableRequest(call)
        let signer = self.signer
        let outcome = try await Bounded.run(for: call) { () -> Result<HTTPFields, AuthenticationFailure> in
            do {
                return .success(try await signer.fields(signing: request))
            } catch {
                return .failure(.signingFailed(type: "\(type(of: error))"))
            }
        }
        switch outcome {
        case .success(let fields):
            for field in fields { call.request.fields[values: field.name] = [field.value] }
        case .failure(let reason):
            throw .authenticationFailed(reason, call.context(.authenticate))
        }
        return try await next.respond(to: call)
    }
}

/// Signs requests as they leave, for schemes such as AWS Signature Version 4 or HTTP Message Signatures (RFC 9421).
///
/// It sees each attempt, after all else: redirects, credentials and interceptors have had their say, and nothing changes
/// afterwards but what it adds.
public protocol RequestSigner: Sendable {
    /// The fields to add to a request, in place of what it has under their names; none leaves it as it is.
    ///
    /// - Parameter request: the request as it will be sent. Look at its origin: a redirect may have led it elsewhere.
    /// - Returns: the fields.
    /// - Throws: any error, which ends the call with `ClientError.authenticationFailed(.signingFailed)`.
    func fields(signing request: SignableRequest) async throws -> HTTPFields
}

/// A request as it will be sent.
public struct SignableRequest: Sendable {
    /// The method.
    public let method: HTTPRequest.Method
    /// Whom it goes to.
    public let origin: Origin
    /// The value of `Host`.
    public let host: String
    /// Path and query, as they stand in the request line.
    public let target: String
    /// The fields, the body's media type included; `Host` and those that frame the message are not among them.
    public let fields: HTTPFields
    /// The body; one that is a stream cannot be hashed without reading it.
    public let body: RequestBody?

    init(_ call: Call) {
        self.method = call.request.method
        self.origin = call.destination.origin
        self.host = call.destination.hostField
        self.target = call.destination.target
        self.fields = call.request.effectiveFields
        self.body = call.request.body
    }
}
