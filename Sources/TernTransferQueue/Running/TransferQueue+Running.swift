// SPDX-License-Identifier: Apache-2.0
import Tern
import TernConnections

extension TransferQueue {
    /// Performs the transfers until the task is cancelled.
    ///
    /// When the task is cancelled, all transfers end, and the queue tries to store what they have done before the method returns.
    ///
    /// - Throws: ``TransferQueueError/alreadyRunning`` when another call of this method or of ``runUntilIdle()`` has not
    ///   returned. Cancellation is not an error.
    public func run() async throws(TransferQueueError) { try await self.run(untilIdle: false) }

    /// Performs the transfers until no transfer can go on by itself: each is completed, failed, paused or being removed.
    ///
    /// Waits for transfers that are delayed, and for the network. If the queue ``isPaused``, the method returns as soon as no
    /// transfer is running. Cancelling the task has the same effect as with ``run()``.
    ///
    /// - Throws: ``TransferQueueError/alreadyRunning``, as ``run()`` does.
    public func runUntilIdle() async throws(TransferQueueError) { try await self.run(untilIdle: true) }

    var runner: TransferRunner {
        TransferRunner(client: self.client, delegate: self.delegate, store: self.store, state: self.state)
    }

    private func run(untilIdle endsWhenIdle: Bool) async throws(TransferQueueError) {
        let isFirst = self.state.use { book in
            defer { book.isRunning = true }
            return !book.isRunning
        }
        guard isFirst else { throw .alreadyRunning }
        defer { self.state.use { $0.isRunning = false } }
        // The tasks do not retain the queue, so its lock ends as soon as the application releases it.
        let runner = self.runner
        // The transfers are child tasks, so they end when this task is cancelled, and before this method returns.
        await withDiscardingTaskGroup { group in
            while !Task.isCancelled {
                let now = self.clock.now
                let step = self.state.look { book in book.nextStep(now: now) }
                switch step {
                case .start(let id): group.addTask { await runner.perform(id) }
                case .wait(let instant): await self.state.waitForNews(until: instant, on: self.clock)
                case .idle where endsWhenIdle: return
                case .idle: await self.state.waitForNews(until: nil, on: self.clock)
                }
            }
        }
    }
}
