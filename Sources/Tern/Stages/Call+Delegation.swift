// SPDX-License-Identifier: Apache-2.0
import TernErrors
import TernRequests
import TernTransport

extension Call {
    /// Who speaks to the delegates of this call; `nil` if it has none.
    var delegation: TaskDelegation? { self.observer as? TaskDelegation }

    /// Makes sure that the body can be sent once more: asks the delegates for another where it cannot.
    ///
    /// - Throws: `ClientError.uploadFailed(.notReplayable)` if there is none.
    mutating func renewBody() async throws(ClientError) {
        guard let body = self.request.body, !body.isReplayable else { return }
        guard let new = try await self.delegation?.newBody(for: self.request, self) else {
            throw .uploadFailed(.notReplayable, self.context(.send))
        }
        self.request.body = try BodyCompression.renewed(new, for: self.request)
    }
}
