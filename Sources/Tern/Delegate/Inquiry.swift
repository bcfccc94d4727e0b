// SPDX-License-Identifier: Apache-2.0
import TernErrors
import TernTransport

/// Something that a call's delegates are asked, one after the other.
protocol Question: AnyObject, Sendable {
    /// Asks, unless the answer is no longer awaited.
    func ask(_ delegates: TaskDelegation.Delegates, _ task: TaskInfo) async
}

/// One question with its answer, for which one task waits.
final class Inquiry<Answer: Sendable>: Question {
    /// What came of it.
    enum Outcome: Sendable {
        /// A delegate answered; `isOwn` if it was the call's own.
        case answered(Answer, isOwn: Bool)
        /// It was for neither of them to say.
        case notMine
        /// The call was cancelled.
        case cancelled
        /// The call's time was over.
        case timedOut(Deadline)
    }

    /// Who is asked.
    enum Audience {
        /// The call's own delegate, and where it has no opinion the client's.
        case both
        /// The call's own.
        case own
        /// The client's.
        case shared
    }

    /// Asks one delegate.
    typealias Asking = @Sendable (any TaskDelegate, TaskInfo) async -> Answer?

    private let suspension = Suspension<Outcome>()
    private let audience: Audience
    private let asking: Asking

    /// Creates a question.
    ///
    /// - Parameters:
    ///   - audience: who is asked; both by default.
    ///   - asking: asks one delegate.
    init(_ audience: Audience = .both, _ asking: @escaping Asking) {
        self.audience = audience
        self.asking = asking
    }

    func ask(_ delegates: TaskDelegation.Delegates, _ task: TaskInfo) async {
        guard !self.suspension.isResolved else { return }
        self.suspension.resume(with: await self.answer(delegates, task))
    }

    private func answer(_ delegates: TaskDelegation.Delegates, _ task: TaskInfo) async -> Outcome {
        if self.audience != .shared, let own = delegates.own, let answer = await self.asking(own, task) {
            return .answered(answer, isOwn: true)
        }
        guard self.audience != .own, !Task.isCancelled, let shared = delegates.shared else { return .notMine }
        return await self.asking(shared, task).map { .answered($0, isOwn: false) } ?? .notMine
    }

    /// Waits for the outcome; asks nobody any more once it is here.
    func outcome(until deadline: Deadline?, on clock: any TransportClock) async -> Outcome {
        await self.suspension.wait(until: deadline, on: clock, late: { .timedOut($0) }, onCancel: .cancelled)
    }
}
