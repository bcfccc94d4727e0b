// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernErrors
import TernRequests
import TernTransport

/// Signs requests, after all stages that change them.
struct Signing: Stage {
    let signer: any RequestSigner

    func respond(to call: HTTPCall, next: NextStages) async throws(ClientError) -> HTTPReply {
        let origin = call.destination.origin
        let firstOrigin = call.request.options[FirstOriginOption.self] ?? origin
        guard self.signer.signsRequests(to: origin, ofCallTo: firstOrigin) else {
            return try await next.respond(to: call)
        }
        var call = call
        let request = SignableRequest(call)
        let signer = self.signer
        let outcome = try await Bounded.run(for: call) { () -> Result<HTTPFields, any Error> in
            do {
                return .success(try await signer.fields(signing: request))
            } catch {
                return .failure(error)
            }
        }
        switch outcome {
        case .success(let fields):
            for field in fields { call.request.fields[fields: field.name] = fields[fields: field.name] }
        case .failure(let error):
            throw .interceptorFailed(error, call.context(.authenticate))
        }
        return try await next.respond(to: call)
    }
}

/// The origin of a call's first request; the redirect stage sets it when it follows a redirect.
enum FirstOriginOption: RequestOption {
    typealias Value = Origin
}
