// SPDX-License-Identifier: Apache-2.0
import TernConnections
import TernErrors
import TernTransport

extension HTTPCall {
    /// Waits until the next request of a transfer is due, and tells the delegates; without a `cause`, it is not a repetition.
    mutating func beginNextAttempt(after delay: Duration, because cause: RetryCause?) async throws(ClientError) {
        let told = self.delegation?.attempt ?? self.attempt
        try await self.waitForNextAttempt(after: delay, because: cause)
        self.attempt = max(told, self.attempt)
        self.beginNextAttempt()
    }

    func waitForNextAttempt(after delay: Duration, because cause: RetryCause?) async throws(ClientError) {
        if let cause { self.delegation?.willRetry(after: delay, because: cause) }
        if delay > .zero {
            let end = self.clock.now.advanced(by: delay)
            if let deadline = self.deadline, end >= deadline.instant {
                throw deadline.error(self.context(.retry))
            }
            let isOver = await Suspension<Bool>().wait(until: end, on: self.clock, onTimeout: true, onCancel: false)
            guard isOver else { throw .cancelled(self.context(.retry)) }
        } else if cause != nil {
            // Over HTTP/2, a request may fail before the client has noticed that the connection is gone. The task that
            // will notice must get a thread, even if several calls repeat their requests at once.
            await Task.yield()
        }
    }

    mutating func beginNextAttempt() {
        self.attempt = max(self.delegation?.attempt ?? 0, self.attempt) + 1
        self.delegation?.begin(self.request, attempt: self.attempt)
    }
}
