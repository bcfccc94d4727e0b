// SPDX-License-Identifier: Apache-2.0
import TernErrors
import TernRequests
import TernTransport

/// Notes for ``Caching`` which fields go out, below all stages that write some.
struct FieldNoting: Stage {
    let isIdle: Bool

    func isNeeded(by call: HTTPCall) -> Bool { false }

    @inline(__always)  // into its witness: one frame less on the way of every call
    func respond(to call: HTTPCall, next: NextStages) async throws(ClientError) -> HTTPReply {
        call.stageContext[SentFields.Key.self]?.note(call.request.fields)
        return try await next.respond(to: call)
    }
}
