// SPDX-License-Identifier: Apache-2.0
public import TernErrors

/// A stage between the caller and the transport, which may change the request and the response, or send another request.
///
/// ```swift
/// struct Tagging: Interceptor {
///     func respond(
///         to call: HTTPCall,
///         next: NextStages
///     ) async throws(ClientError) -> HTTPReply {
///         var call = call
///         call.request = call.request.header(.userAgent, "Tag/1.0")
///         return try await next.respond(to: call)
///     }
/// }
/// ```
public protocol Interceptor: Sendable {
    /// Answers the call, usually by asking `next`; its own waits must observe ``HTTPCall/deadline`` and the task's cancellation.
    func respond(to call: HTTPCall, next: NextStages) async throws(ClientError) -> HTTPReply
}
