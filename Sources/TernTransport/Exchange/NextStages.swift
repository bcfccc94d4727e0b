// SPDX-License-Identifier: Apache-2.0
public import TernErrors

/// The stages that follow an interceptor, down to the transport.
public struct NextStages: Sendable {
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

    package init(_ stages: [any Interceptor], transport: any Transport) {
        self.list = List(stages, transport)
        self.position = 0
    }

    private init(after other: NextStages) {
        self.list = other.list
        self.position = other.position + 1
    }

    /// Passes the call on to the next stage, or from the last stage to the transport; an interceptor may do this several times.
    public func respond(to call: HTTPCall) async throws(ClientError) -> HTTPReply {
        guard self.position < self.list.stages.count else { return try await self.list.transport.respond(to: call) }
        return try await self.list.stages[self.position].respond(to: call, next: NextStages(after: self))
    }

    /// Passes on an attempt that may follow another one; an error that does not know its attempt gets the number.
    package func respond(toAttempt call: HTTPCall) async throws(ClientError) -> HTTPReply {
        do throws(ClientError) {
            return try await self.respond(to: call)
        } catch {
            var error = error
            error.context.attempt = max(error.context.attempt, call.attempt)
            throw error
        }
    }
}
