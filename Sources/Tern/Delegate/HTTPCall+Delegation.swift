// SPDX-License-Identifier: Apache-2.0
import TernErrors
import TernRequests
import TernTransport

extension HTTPCall {
    private enum DelegationKey: StageContextKey { typealias Value = TaskDelegation }

    /// The delegation of this call; `nil` if no delegate or monitor observes the call.
    var delegation: TaskDelegation? {
        get { self.stageContext[DelegationKey.self] }
        set { self.stageContext[DelegationKey.self] = newValue }
    }

    /// Ensures that the body can be sent once more; asks the delegates for a new one if it cannot.
    ///
    /// - Throws: `ClientError.uploadFailed(.notReplayable)` when the delegates have no new body.
    mutating func renewBody() async throws(ClientError) {
        guard let body = self.request.body, !body.isReplayable else { return }
        guard let new = try await self.delegation?.newBody(for: self.request, self) else {
            throw .uploadFailed(.notReplayable, self.context(.send))
        }
        self.request.body = try BodyCompression.renewed(
            new,
            for: self.request,
            BodyCompression.TimeLimit(deadline: self.deadline, clock: self.clock)
        )
    }
}

/// Reports the end of a call to its delegates when the body ends.
private struct EndOfCall: BodyObserver {
    let call: HTTPCall
    let delegation: TaskDelegation

    func didEnd(_ error: ClientError?) async { await self.delegation.finish(error) }

    func didDiscard() { self.delegation.finishNow(.cancelled(self.call.context(.body))) }
}

extension HTTPReply {
    /// Returns the reply with a body that reports the end of the call to its delegates; the reply itself if the call
    /// has none.
    func completing(_ call: HTTPCall) -> HTTPReply {
        guard let delegation = call.delegation else { return self }
        var reply = self
        guard reply.upgrade == nil else {
            delegation.finishNow(nil)  // the upgraded connection is no longer part of the call
            return reply
        }
        reply.body = ResponseBody(ObservedBody(self.body, EndOfCall(call: call, delegation: delegation)))
        return reply
    }
}

extension HTTPCall {
    /// Runs the rest of the call with its reply, and reports the end to its delegates.
    ///
    /// Discards the body first, because its events must come before the end of the call.
    nonisolated(nonsending) func completing<Value>(
        _ reply: HTTPReply,
        _ body: nonisolated(nonsending) (HTTPReply) async throws(ClientError) -> Value
    ) async throws(ClientError) -> Value {
        guard let delegation = self.delegation else { return try await body(reply) }
        do throws(ClientError) {
            let value = try await body(reply)
            reply.body.discard()
            await delegation.finish(nil)
            return value
        } catch {
            reply.body.discard()
            await delegation.finish(error)
            throw error
        }
    }
}
