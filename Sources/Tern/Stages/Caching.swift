// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernCacheStores
import TernCaching
import TernErrors
import TernFoundation
import TernRequests
import TernTransport

/// Answers calls from the cache and stores responses (RFC 9111), with the decoded body and the fields as received.
struct Caching: Stage {
    let store: (any CacheStore)?
    let policy: CachePolicy
    let isDecoding: Bool
    let codings: ContentCodings
    let session: CacheSession

    var isIdle: Bool { self.store == nil && self.policy != .onlyCached }

    func isNeeded(by call: HTTPCall) -> Bool { call.request.options.cachePolicy != nil }

    @inline(__always)  // inlining into the witness saves a stack frame for every call
    func respond(to call: HTTPCall, next: NextStages) async throws(ClientError) -> HTTPReply {
        let policy = call.request.options.cachePolicy ?? self.policy
        guard let store = self.store else {
            if policy == .onlyCached { throw .notCached(call.context(.prepare)) }
            return try await next.respond(to: call)
        }
        let bypasses = call.request.options.bypassesCache == true
        guard !bypasses, CacheDecision.concerns(call.request.method, call.request.fields), call.request.body == nil
        else {
            if !bypasses, call.request.body == nil {
                let key = CacheKey(call)
                let part = CachedRange(store: store, session: self.session, key: key, policy: policy, call: call)
                if let reply = try await part.reply() { return reply }
            }
            if policy == .onlyCached { throw .notCached(call.context(.prepare)) }
            return try await self.pass(call, store, next: next)
        }
        let digestKey = try await self.session.digestKey(of: store, for: call)
        var exchange = CachedExchange(
            store: store,
            session: self.session,
            key: CacheKey(call),
            selector: CacheSelector(call, isDecoding: self.isDecoding, digestKey: digestKey),
            codings: call.request.options.decodesContent ?? self.isDecoding ? self.codings : nil,
            policy: policy,
            call: call,
            next: next
        )
        return try await exchange.respond()
    }

    /// Sends a call past the cache, and removes the stored responses that the call makes invalid.
    private func pass(
        _ call: HTTPCall,
        _ store: any CacheStore,
        next: NextStages
    ) async throws(ClientError) -> HTTPReply {
        let reply = try await next.respond(to: call)
        let response = reply.response
        try await CacheInvalidation(store: store).received(response.statusCode, response.fields, to: call)
        return reply
    }
}
