// SPDX-License-Identifier: Apache-2.0
import TernErrors
import TernTransport

/// Notes for ``Caching`` which fields go out, below all stages that write some.
struct FieldNoting: Stage {
    let isIdle: Bool

    func isNeeded(by call: Call) -> Bool { false }

    @inline(__always)  // into its witness: one frame less on the way of every call
    func respond(to call: Call, next: Next) async throws(ClientError) -> Reply {
        call.request.options[SentFieldsOption.self]?.note(call.request.fields)
        return try await next.respond(to: call)
    }
}
