// SPDX-License-Identifier: Apache-2.0
import TernErrors
import TernRequests
import TernTransport

extension HTTPCall {
    private enum DelegationKey: StageContextKey { typealias Value = TaskDelegation }

    var delegation: TaskDelegation? {
        get { self.stageContext[DelegationKey.self] }
        set { self.stageContext[DelegationKey.self] = newValue }
    }

    /// Ensures that the body can be sent once more, or asks the delegates for another; without one, throws `.notReplayable`.
    mutating func renewBody() async throws(ClientError) {
        guard let body = self.request.body, !body.isReplayable else { return }
        guard let new = try await self.delegation?.newBody(for: self.request, self) else {
            throw .uploadFailed(.notReplayable, self.context(.send))
        }
        let limit = BodyCompression.TimeLimit(deadline: self.deadline, clock: self.clock)
        try BodyCompression.renew(new, in: &self.request, limit)
    }
}

private struct EndOfCall: BodyObserver {
    let call: HTTPCall
    let delegation: TaskDelegation

    func didEnd(_ error: ClientError?) async {
        await self.delegation.finish(self.delegation.hasWholeContent ? nil : error)
    }

    func didDiscard() {
        self.delegation.finishNow(self.delegation.hasWholeContent ? nil : .cancelled(self.call.context(.body)))
    }
}

extension HTTPReply {
    /// Returns the reply, whose body tells the call's delegates when it ends; with an upgraded connection, they are told now.
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
    /// Runs the rest of the call, discards the body, whose events must come first, and tells the delegates that the call has
    /// ended.
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
