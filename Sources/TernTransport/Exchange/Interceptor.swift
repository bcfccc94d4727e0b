// SPDX-License-Identifier: Apache-2.0
public import TernErrors

/// One concern between the user's call and the transport; it may change the request, the response, or ask again.
///
/// ```swift
/// struct Tagging: Interceptor {
///     func respond(to call: HTTPCall, next: NextStages) async throws(ClientError) -> HTTPReply {
///         var call = call
///         call.request = call.request.header(.userAgent, "Tag/1.0")
///         return try await next.respond(to: call)
///     }
/// }
/// ```
public protocol Interceptor: Sendable {
    /// Answers the call, as a rule by asking `next`.
    ///
    /// - Throws: `ClientError`. It is cancelled with the call.
    func respond(to call: HTTPCall, next: NextStages) async throws(ClientError) -> HTTPReply
}
