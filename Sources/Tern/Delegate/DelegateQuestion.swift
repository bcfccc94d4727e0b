// SPDX-License-Identifier: Apache-2.0
import TernConnections

/// A question for the delegates of a call, which answer one after the other.
protocol Question: AnyObject, Sendable {
    func ask(_ delegates: TaskDelegation.Delegates, _ task: TaskInfo) async

    /// Ends the wait for the answer, because the call has ended.
    func end()
}

/// A question, its answer, and the task that waits for the answer.
final class DelegateQuestion<Answer: Sendable>: Question {
    enum Outcome: Sendable {
        /// A delegate answered; `isOwn` is `true` if it was the call's own.
        case answered(Answer, isOwn: Bool)
        case unanswered
        /// The call has ended: the client asks no delegate, or no longer waits for an answer.
        case ended
        case cancelled
        case timedOut(CallDeadline)
    }

    enum Audience {
        /// The call's own delegate, and then the client's delegate if the first returns `nil`.
        case both
        case own
        case shared
    }

    typealias Asking = @Sendable (any TaskDelegate, TaskInfo) async -> Answer?

    private let suspension = Suspension<Outcome>()
    private let audience: Audience
    private let asking: Asking

    init(_ audience: Audience = .both, _ asking: @escaping Asking) {
        self.audience = audience
        self.asking = asking
    }

    func ask(_ delegates: TaskDelegation.Delegates, _ task: TaskInfo) async {
        guard !self.suspension.isResolved else { return }
        self.suspension.resume(with: await self.answer(delegates, task))
    }

    func end() { self.suspension.resume(with: .ended) }

    private func answer(_ delegates: TaskDelegation.Delegates, _ task: TaskInfo) async -> Outcome {
        if self.audience != .shared, let own = delegates.own, let answer = await self.asking(own, task) {
            return .answered(answer, isOwn: true)
        }
        // A delegate that is cancelled, because the call has ended, has not left the decision to others.
        if Task.isCancelled { return .ended }
        guard self.audience != .own, let shared = delegates.shared else { return .unanswered }
        if let answer = await self.asking(shared, task) { return .answered(answer, isOwn: false) }
        return Task.isCancelled ? .ended : .unanswered
    }

    /// Waits for the outcome; if the wait ends early, the question does not ask the remaining delegates.
    func outcome(until deadline: CallDeadline?, on clock: any TransportClock) async -> Outcome {
        await self.suspension.wait(until: deadline, on: clock, onTimeout: { .timedOut($0) }, onCancel: .cancelled)
    }
}
