// SPDX-License-Identifier: Apache-2.0
import TernErrors
import TernRequests
import TernTransport

/// Records, for ``Caching``, the fields that are sent.
///
/// It is below all stages that write fields.
struct SentFieldRecorder: Stage {
    let isIdle: Bool

    func isNeeded(by call: HTTPCall) -> Bool { false }

    @inline(__always)  // inlining into the witness saves a stack frame for every call
    func respond(to call: HTTPCall, next: NextStages) async throws(ClientError) -> HTTPReply {
        call.stageContext[SentFields.Key.self]?.note(call.request.fields)
        return try await next.respond(to: call)
    }
}
