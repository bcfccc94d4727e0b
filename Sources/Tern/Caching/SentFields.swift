// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Synchronization
import TernTransport

/// The fields of a request as it went out in the end.
///
/// Challenges are answered, and attempts intercepted and signed, below the cache, which learns by this what `Vary` refers to.
final class SentFields: Sendable {
    /// Hands them from one stage to the other.
    enum Key: StageContextKey { typealias Value = SentFields }

    private let state = Mutex<HTTPFields?>(nil)

    /// Those of the last request; `nil` if none went out.
    var fields: HTTPFields? { self.state.withLock { $0 } }

    func note(_ fields: HTTPFields) { self.state.withLock { $0 = fields } }
}
