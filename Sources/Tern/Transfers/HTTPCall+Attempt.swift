// SPDX-License-Identifier: Apache-2.0
import TernConnections
import TernErrors
import TernTransport

extension HTTPCall {
    /// Waits until the next request of a transfer is due, and tells the delegates about it.
    ///
    /// - Parameters:
    ///   - delay: The time to wait.
    ///   - cause: The reason that the request repeats another one; `nil` if it only follows.
    /// - Throws: `ClientError.timedOut` if the call's deadline comes first; `.cancelled`.
    mutating func beginNextAttempt(after delay: Duration, because cause: RetryCause?) async throws(ClientError) {
        let told = self.delegation?.attempt ?? self.attempt
        if let cause { self.delegation?.willRetry(after: delay, because: cause) }
        if delay > .zero {
            let end = self.clock.now.advanced(by: delay)
            if let deadline = self.deadline, end >= deadline.instant {
                throw deadline.error(self.context(.retry))
            }
            let isOver = await Suspension<Bool>().wait(until: end, on: self.clock, onTimeout: true, onCancel: false)
            guard isOver else { throw .cancelled(self.context(.retry)) }
        }
        self.attempt = max(told, self.attempt) + 1
        self.delegation?.begin(self.request, attempt: self.attempt)
    }
}
