// SPDX-License-Identifier: Apache-2.0
public import TernErrors

/// One concern between the user's call and the transport; it may change the request, the response, or ask again.
///
/// ```swift
/// struct Tagging: Interceptor {
///     func respond(to call: Call, next: Next) async throws(ClientError) -> Reply {
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
    func respond(to call: Call, next: Next) async throws(ClientError) -> Reply
}

/// The rest of the stages, down to the transport.
public struct Next: Sendable {
    /// Shared by all positions, so that each stage is given one reference and a number.
    private final class List: Sendable {
        let stages: [any Interceptor]
        let transport: any Transport

        init(_ stages: [any Interceptor], _ transport: any Transport) {
            self.stages = stages
            self.transport = transport
        }
    }

    private let list: List
    private let position: Int

    /// Creates the whole list.
    public init(_ stages: [any Interceptor], transport: any Transport) {
        self.list = List(stages, transport)
        self.position = 0
    }

    private init(after other: Next) {
        self.list = other.list
        self.position = other.position + 1
    }

    /// Passes the call on; may be called again for another try.
    public func respond(to call: Call) async throws(ClientError) -> Reply {
        guard self.position < self.list.stages.count else { return try await self.list.transport.respond(to: call) }
        return try await self.list.stages[self.position].respond(to: call, next: Next(after: self))
    }
}

/// Performs one exchange: a request out, a response back.
public protocol Transport: Sendable {
    /// Sends the request and returns when the head of the final response is here.
    ///
    /// - Throws: `ClientError`. Cancelling the task ends the exchange at once with `.cancelled`.
    func respond(to call: Call) async throws(ClientError) -> Reply
}
