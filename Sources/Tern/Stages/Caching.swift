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
        guard let store = self.store, call.request.options.bypassesCache != true else {
            if policy == .onlyCached { throw .notCached(call.context(.prepare)) }
            return try await next.respond(to: call)
        }
        guard CacheDecision.concerns(call.request.method, call.request.fields), call.request.body == nil else {
            if call.request.body == nil {
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
        let key = CacheKey(call)
        guard CacheDecision.invalidates(call.request.method, response.statusCode) else { return reply }
        try await self.forget(key, store, call)
        // A cache "MAY invalidate other URIs … in the Location and Content-Location", but only those of the same origin
        // (RFC 9111 §4.4).
        for name in [HTTPField.Name.location, .contentLocation] {
            guard let field = response.fields[fields: name].first,
                let reference = try? URLReference(bytes: field.withUnsafeBytesOfValue { Array($0) }),
                let url = try? reference.url(relativeTo: call.request.url).absoluteURL,
                let place = try? Destination(url), place.origin == call.destination.origin
            else { continue }
            let key = CacheKey(url, unixSocketPath: call.request.options.unixSocketPath)
            try await self.forget(key, store, call)
        }
        return reply
    }

    private func forget(_ key: CacheKey, _ store: any CacheStore, _ call: HTTPCall) async throws(ClientError) {
        try await call.asking(store, else: ()) { store throws(CacheStoreError) in try await store.remove(key) }
    }
}
