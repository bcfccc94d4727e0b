// SPDX-License-Identifier: Apache-2.0
import TernErrors
import TernRequests
import TernTransport

extension Call {
    /// Who observes this call, and speaks to its delegates; `nil` if it is not observed.
    var delegation: TaskDelegation? {
        switch self.observer {
        case nil: nil
        case let delegation as TaskDelegation: delegation
        case let observer as TransactionObserver: observer.delegation
        default: nil
        }
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
