// SPDX-License-Identifier: Apache-2.0
import TernErrors
import TernTransport

/// Has requests signed, last of all stages: nothing of what is signed changes after it.
struct Signing: Interceptor {
    let signer: any RequestSigner

    func respond(to call: Call, next: Next) async throws(ClientError) -> Reply {
        var call = call
        let request = SignableRequest(call)
        do {
            for field in try await self.signer.fields(signing: request) {
                call.request.fields[values: field.name] = [field.value]
            }
        } catch {
            guard !Task.isCancelled else { throw .cancelled(call.context(.authenticate)) }
            let reason = AuthenticationFailure.signingFailed(type: "\(type(of: error))")
            throw .authenticationFailed(reason, call.context(.authenticate))
        }
        return try await next.respond(to: call)
    }
}
