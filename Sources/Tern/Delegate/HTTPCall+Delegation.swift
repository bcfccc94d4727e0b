// SPDX-License-Identifier: Apache-2.0
import TernErrors
import TernRequests
import TernTransport

extension HTTPCall {
    private enum DelegationKey: StageContextKey { typealias Value = TaskDelegation }

    /// The object that reports this call's events; `nil` if no delegate or monitor observes the call.
    var delegation: TaskDelegation? {
        get { self.stageContext[DelegationKey.self] }
        set { self.stageContext[DelegationKey.self] = newValue }
    }

    /// Ensures that the client can send the body once more.
    ///
    /// If the body can be read only once, this method asks the delegates for a new body.
    ///
    /// - Throws: `ClientError.uploadFailed(.notReplayable)` when the delegates have no new body.
    mutating func renewBody() async throws(ClientError) {
        guard let body = self.request.body, !body.isReplayable else { return }
        guard let new = try await self.delegation?.newBody(for: self.request, self) else {
            throw .uploadFailed(.notReplayable, self.context(.send))
        }
        let limit = BodyCompression.TimeLimit(deadline: self.deadline, clock: self.clock)
        try BodyCompression.renew(new, in: &self.request, limit)
    }
}

/// Reports the end of a call to its delegates when the body ends.
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
    /// Returns the reply, with a body that tells the call's delegates when it ends.
    ///
    /// If nothing observes the call, returns the same reply. For an upgraded connection, tells the delegates at once.
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
    /// Runs the rest of the call with its reply, and then tells the delegates that the call has ended.
    ///
    /// Before it tells them, it discards the body, because the events of the body must come before the end of the call.
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
