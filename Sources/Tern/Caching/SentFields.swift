// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Synchronization
import TernTransport

/// The fields of a request as it was finally sent.
///
/// Stages below the cache answer challenges, intercept attempts and sign. The cache needs the final fields for `Vary`.
final class SentFields: Sendable {
    /// Passes the fields between stages.
    enum Key: StageContextKey { typealias Value = SentFields }

    private let state = Mutex<HTTPFields?>(nil)

    /// The fields of the last request; `nil` if none was sent.
    var fields: HTTPFields? { self.state.withLock { $0 } }

    func note(_ fields: HTTPFields) { self.state.withLock { $0 = fields } }
}
