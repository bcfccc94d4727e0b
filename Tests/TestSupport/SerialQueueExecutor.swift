// SPDX-License-Identifier: Apache-2.0
import Dispatch

/// Runs the jobs of tasks on a serial queue, one at a time.
public final class SerialQueueExecutor: TaskExecutor {
    private let queue = DispatchQueue(label: "tern.tests.work")

    public init() {}

    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        self.queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
