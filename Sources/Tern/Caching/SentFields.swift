// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Synchronization
import TernTransport

/// The fields of a request as the client sent it, after the stages behind the cache, for `Vary`.
final class SentFields: Sendable {
    enum Key: StageContextKey { typealias Value = SentFields }

    private struct State {
        var fields: HTTPFields?
        var ownAuthorization: HTTPField?
    }

    private let state = Mutex(State())

    /// The fields without an `Authorization` that the client made from the request's own credential, which the cache compares
    /// instead: the field may differ for each request.
    var fields: HTTPFields? {
        let state = self.state.withLock { $0 }
        guard var fields = state.fields, let own = state.ownAuthorization else { return state.fields }
        if fields[fields: .authorization] == [own] { fields[.authorization] = nil }
        return fields
    }

    func note(_ fields: HTTPFields) { self.state.withLock { $0.fields = fields } }

    /// Notes an `Authorization` that the client is about to send, with a credential of the request or with another one.
    func note(authorization field: HTTPField, isOwn: Bool) {
        self.state.withLock { $0.ownAuthorization = isOwn ? field : nil }
    }
}
