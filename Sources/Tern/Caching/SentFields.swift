// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Synchronization
import TernTransport

/// The fields of a request as the client sent it.
///
/// The stages after the cache add fields when they answer challenges, intercept requests and sign. The cache needs the
/// final fields to apply `Vary`.
final class SentFields: Sendable {
    /// The key under which the stages of a call find the fields.
    enum Key: StageContextKey { typealias Value = SentFields }

    private let state = Mutex<HTTPFields?>(nil)

    /// The fields of the last request that was sent; `nil` if no request was sent.
    var fields: HTTPFields? { self.state.withLock { $0 } }

    func note(_ fields: HTTPFields) { self.state.withLock { $0 = fields } }
}
