// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import NIOCore
import TernCacheStores
import TernCaching
import TernErrors
import TernTransport

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension CachedExchange {
    /// Stores an answer while it is read, if it may be stored.
    func storing(
        _ original: HTTPReply,
        _ asking: Asking,
        _ found: CacheEntry?
    ) async throws(ClientError) -> HTTPReply {
        var reply = original
        guard reply.upgrade == nil else { return reply }
        guard reply.response.isForAll else { return self.passing(reply) }
        if self.method == .head {
            try await self.learn(from: reply.response, asking, found)
            return reply
        }
        guard let stored = self.storable(reply, asking) else {
            // What is stored is no longer what the server gives.
            let isWanted = found != nil || self.policy == .reload || self.retriedStatus != nil
            if isWanted, Self.isNews(reply.response.statusCode) { try await self.forget() }
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

    /// An answer that is not stored; in the background no caller reads it, so its body is discarded.
    private func passing(_ original: HTTPReply) -> HTTPReply {
        guard self.isInBackground else { return original }
        var reply = original
        reply.discardBody()
        return reply
    }

    /// Whether a status says what there is at the URL now, and not only that the server cannot tell.
    private static func isNews(_ statusCode: Int) -> Bool {
        200..<400 ~= statusCode || statusCode == 404 || statusCode == 410
    }

    /// What is to be stored of an answer; `nil` if it may not, or is of no use.
    private func storable(_ reply: HTTPReply, _ asking: Asking) -> StoredResponse? {
        var stored = StoredResponse(
            statusCode: reply.response.statusCode,
            reasonPhrase: reply.response.status.reasonPhrase,
            fields: reply.response.fields,
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

    // MARK: Validated

    /// The entry with the fields of a newer answer, and for the requests that its `Vary` names; and whether it may be
    /// stored still.
    func updated(_ entry: CacheEntry, by fields: HTTPFields, _ asking: Asking) -> (CacheEntry, isKept: Bool) {
        var entry = entry
        entry.response = entry.response.updated(by: fields, requestTime: asking.time, responseTime: self.now)
        let control = CacheControl(entry.response.fields)
        // Stored still, whatever the newer answer says, unless that says that it must not be.
        guard !control.noStore, !control.isMalformed,
            let variant = self.selector.variant(entry.response.fields, sent: asking.sent.fields)
        else { return (entry, false) }
        entry.response.variant = variant
        return (entry, true)
    }

    /// Stores the newer head of an entry, or forgets what is stored.
    func keep(_ entry: CacheEntry, _ isKept: Bool) async throws(ClientError) {
        guard isKept else { return try await self.forget() }
        let key = self.key
        try await self.asking(else: ()) { store throws(CacheStoreError) in try await store.update(entry, for: key) }
    }

    /// Updates what is stored by an answer to HEAD, or forgets it, if that is about another (RFC 9111 §4.3.5).
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
    /// Whether it came from a server that every call would trust: what one call's delegate approved of is for that call.
    var isForAll: Bool { self.tls.map { !$0.isForOneCall && $0.trust.evaluation == nil } ?? true }
}

extension Response {
    /// A response from the cache.
    ///
    /// - Returns: `nil` for a status that no final response has; a custom store may give anything.
    init?(_ stored: StoredResponse, fields: HTTPFields, url: URL, _ cacheStatus: CacheStatus) {
        guard 200..<600 ~= stored.statusCode else { return nil }
        let status = HTTPResponse.Status(code: stored.statusCode, reasonPhrase: stored.reasonPhrase)
        self.init(url: url, head: Head(status, fields), cacheStatus: cacheStatus)
    }
}
