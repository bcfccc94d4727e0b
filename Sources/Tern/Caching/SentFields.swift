// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Synchronization
import TernTransport

/// The fields of a request as the client sent it, after the stages behind the cache, for `Vary`.
final class SentFields: Sendable {
    enum Key: StageContextKey { typealias Value = SentFields }

    private let state = Mutex<HTTPFields?>(nil)

    var fields: HTTPFields? { self.state.withLock { $0 } }

    func note(_ fields: HTTPFields) { self.state.withLock { $0 = fields } }
}
