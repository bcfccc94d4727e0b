// SPDX-License-Identifier: Apache-2.0
import TernErrors
import TernRequests
import TernTransport

/// Records the fields that the client sends, after all stages that change them, because ``Caching`` needs them for `Vary`.
struct SentFieldRecorder: Stage {
    let isIdle: Bool

    func isNeeded(by call: HTTPCall) -> Bool { false }

    @inline(__always)  // inlining into the witness saves a stack frame for every call
    func respond(to call: HTTPCall, next: NextStages) async throws(ClientError) -> HTTPReply {
        call.stageContext[SentFields.Key.self]?.note(call.request.fields)
        return try await next.respond(to: call)
    }
}
