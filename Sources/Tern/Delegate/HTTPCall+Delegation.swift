// SPDX-License-Identifier: Apache-2.0
import TernErrors
import TernRequests
import TernTransport

extension HTTPCall {
    private enum DelegationKey: StageContextKey { typealias Value = TaskDelegation }

    /// Speaks to the delegates of this call; `nil` if it has none, and no monitor.
    var delegation: TaskDelegation? {
        get { self.stageContext[DelegationKey.self] }
        set { self.stageContext[DelegationKey.self] = newValue }
    }

    /// Makes sure that the body can be sent once more: asks the delegates for another where it cannot.
    ///
    /// - Throws: `ClientError.uploadFailed(.notReplayable)` if there is none.
    mutating func renewBody() async throws(ClientError) {
        guard let body = self.request.body, !body.isReplayable else { return }
        guard let new = try await self.delegation?.newBody(for: self.request, self) else {
            throw .uploadFailed(.notReplayable, self.context(.send))
        }
        self.request.body = try BodyCompression.renewed(
            new,
            for: self.request,
            BodyCompression.Patience(deadline: self.deadline, clock: self.clock)
        )
    }
}

/// Tells the delegates of a call that it is over, when its body is.
private struct EndOfCall: BodyObserver {
    let call: HTTPCall
    let delegation: TaskDelegation

    func didEnd(_ error: ClientError?) async { await self.delegation.finish(error) }

    func didDiscard() { self.delegation.finishNow(.cancelled(self.call.context(.body))) }
}

extension HTTPReply {
    /// The reply whose body tells the call's delegates of its end; itself if there are none.
    func completing(_ call: HTTPCall) -> HTTPReply {
        guard let delegation = call.delegation else { return self }
        var reply = self
        guard reply.upgrade == nil else {
            delegation.finishNow(nil)  // what follows is not HTTP, and none of the call's
            return reply
        }
        reply.body = ResponseBody(ObservedBody(self.body, EndOfCall(call: call, delegation: delegation)))
        return reply
    }
}

extension HTTPCall {
    /// Does what is left of the call with its reply, and tells its delegates of the end.
    ///
    /// The body is discarded before: what that ends is told before the end of the call.
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
