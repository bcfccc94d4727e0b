// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import NIOCore
import TernCacheStores
import TernCaching
import TernErrors
import TernFoundation
import TernTransport

extension CachedExchange {
    /// Stores the response if that is allowed, at once or while the caller reads it, and returns the reply for the caller.
    func storing(
        _ original: HTTPReply,
        _ asking: Asking,
        _ found: CacheEntry?
    ) async throws(ClientError) -> HTTPReply {
        var reply = original
        guard reply.upgrade == nil else { return reply }
        guard reply.response.isTrustedByEveryCall else { return self.passing(reply) }
        if self.method == .head {
            try await self.learn(from: reply.response, asking, found)
            return reply
        }
        guard let stored = self.storable(reply, asking) else {
            // The new response cannot be stored, but it may show that the stored response is out of date.
            let isWanted = found != nil || self.policy == .reload || self.retriedStatus != nil
            if isWanted, Self.describesCurrentResource(reply.response.statusCode) { try await self.forget() }
            return self.passing(reply)
        }
        guard let writer = asking.writer else { return self.passing(reply) }
        guard let whole = reply.body.whole else {
            let source = StoringBodySource(
                reply.body,
                stored,
                writer,
                replacing: self.selector,
                limit: self.store.maximumBodyByteCount,
                self.ticket,
                for: self.call,
                isForStoreAlone: self.isInBackground
            )
            reply.body = ResponseBody(source)
            return reply
        }
        let selector = self.selector
        try await self.call.asking(writer, in: .body, else: ()) { writer throws(CacheStoreError) in
            if whole.readableBytes > 0 { try await writer.append(whole) }
            try await writer.commit(stored, replacing: { selector.matches($0) })
        }
        return reply
    }

    /// Returns the reply without storing it; a background revalidation discards its body, which no caller reads.
    private func passing(_ original: HTTPReply) -> HTTPReply {
        guard self.isInBackground else { return original }
        var reply = original
        reply.discardBody()
        return reply
    }

    /// Whether a response with this status describes the resource, and not only a failure of the server.
    private static func describesCurrentResource(_ statusCode: Int) -> Bool {
        200..<400 ~= statusCode || statusCode == 404 || statusCode == 410
    }

    /// Returns the head to store; `nil` if the response may not be stored, or could not answer a later request.
    private func storable(_ reply: HTTPReply, _ asking: Asking) -> StoredResponse? {
        var stored = StoredResponse(
            statusCode: reply.response.statusCode,
            reasonPhrase: reply.response.status.reasonPhrase,
            fields: reply.response.receivedFields,
            requestTime: asking.time,
            responseTime: self.now
        )
        guard let variant = self.selector.variant(stored.fields, sent: asking.sent.fields),
            StoredResponse.isStorable(method: self.method, request: self.call.request.fields, response: stored),
            reply.body.length ?? 0 <= self.store.maximumBodyByteCount
        else { return nil }
        stored.variant = variant
        return stored
    }

    // MARK: Revalidated

    /// Updates an entry from the fields of a newer response, and returns whether the entry may remain stored.
    func updated(_ entry: CacheEntry, by fields: HTTPFields, _ asking: Asking) -> (CacheEntry, isKept: Bool) {
        var entry = entry
        entry.response = entry.response.updated(by: fields, requestTime: asking.time, responseTime: self.now)
        // The entry remains stored unless the newer response forbids that, or the entry could answer no later request.
        guard entry.response.allowsStoring,
            let variant = self.selector.variant(entry.response.fields, sent: asking.sent.fields)
        else { return (entry, false) }
        entry.response.variant = variant
        return (entry, true)
    }

    /// Stores the newer head of an entry, or removes the stored responses for the URL.
    func keep(_ entry: CacheEntry, _ isKept: Bool) async throws(ClientError) {
        guard isKept else { return try await self.forget() }
        let key = self.key
        try await self.asking(else: ()) { store throws(CacheStoreError) in try await store.update(entry, for: key) }
    }

    /// Updates the stored response from an answer to HEAD, or removes those that it contradicts (RFC 9111 §4.3.5).
    private func learn(
        from response: Response,
        _ asking: Asking,
        _ found: CacheEntry?
    ) async throws(ClientError) {
        guard let found, response.statusCode == 200 else { return }
        let lengths = (response.contentLength, found.response.fields[.contentLength].flatMap { Int64($0) })
        let isSameLength = lengths.0 == nil || lengths.1 == nil || lengths.0 == lengths.1
        switch found.response.confirmation(by: response.fields) {
        case .updates where isSameLength:
            let (entry, isKept) = self.updated(found, by: response.fields, asking)
            try await self.keep(entry, isKept)
        case .keeps where isSameLength: break
        default: try await self.forget()
        }
    }
}

extension Response {
    /// Whether every call would trust the server, which is not so if one call's delegate approved it.
    var isTrustedByEveryCall: Bool { self.tls.map { !$0.isForOneCall && $0.trust.evaluation == nil } ?? true }
}

extension Response {
    /// Creates a response from the cache; `nil` if no final response can have this status: a custom store may return anything.
    init?(_ stored: StoredResponse, fields: HTTPFields, url: URL, _ cacheStatus: CacheStatus) {
        guard 200..<600 ~= stored.statusCode else { return nil }
        let status = HTTPResponse.Status(code: stored.statusCode, reasonPhrase: stored.reasonPhrase)
        self.init(url: url, head: Head(status, fields), cacheStatus: cacheStatus)
    }
}
