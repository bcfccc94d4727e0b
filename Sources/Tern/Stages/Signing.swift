// SPDX-License-Identifier: Apache-2.0
public import HTTPTypes
import TernErrors
public import TernRequests
import TernTransport

/// Has requests signed, last of all stages: nothing of what is signed changes after it.
struct Signing: Stage {
    let signer: any RequestSigner

    func respond(to call: HTTPCall, next: NextStages) async throws(ClientError) -> HTTPReply {
        let origin = call.destination.origin
        let firstOrigin = call.request.options[RedirectedFromOption.self] ?? origin
        guard self.signer.signsRequests(to: origin, ofCallTo: firstOrigin) else {
            return try await next.respond(to: call)
        }
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

/// The origin of a call's first request, where a redirect has led the call on.
enum RedirectedFromOption: RequestOption {
    typealias Value = Origin
}

/// A request as it will be sent.
public struct SignableRequest: Sendable {
    /// The method.
    public let method: HTTPRequest.Method
    /// The origin that it goes to.
    public let origin: Origin
    /// The value of `Host`.
    public let host: String
    /// Path and query, as they stand in the request line.
    public let target: String
    /// The fields, the body's media type included; `Host` and those that frame the message are not among them.
    public let fields: HTTPFields
    /// The body; one that is a stream cannot be hashed without reading it.
    public let body: RequestBody?

    init(_ call: HTTPCall) {
        self.method = call.request.method
        self.origin = call.destination.origin
        self.host = call.destination.hostField
        self.target = call.destination.target
        self.fields = call.request.effectiveFields
        self.body = call.request.body
    }
}
