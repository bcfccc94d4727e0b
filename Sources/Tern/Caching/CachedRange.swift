// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import NIOCore
import TernCacheStores
import TernCaching
import TernErrors
import TernRequests
import TernTransport

/// A request for one byte range, which only a complete stored response may answer (RFC 9110 §14.2, §15.3.7).
struct CachedRange: Sendable {
    private struct Candidate {
        var entry: CacheEntry
        var bounds: Range<Int64>
    }

    let store: any CacheStore
    let session: CacheSession
    let key: CacheKey
    let policy: CachePolicy
    let call: HTTPCall

    /// Returns a response with status 206 and the range from the store, or `nil` if the client must ask the server.
    func reply() async throws(ClientError) -> HTTPReply? {
        let fields = self.call.request.fields
        guard CacheDecision.concernsPart(self.call.request.method, fields),
            self.call.stageContext[RetriedStatus.self] == nil
        else { return nil }
        let candidate = try await self.find(fields)
        let now = self.call.clock.date.secondsSince1970
        switch CacheDecision(fields, self.policy, stored: candidate?.entry.response, now: now) {
        case .serve(let isStale):
            guard let candidate else { return nil }
            return try await self.reply(candidate, isStale: isStale, now)
        case .refuse: throw .notCached(self.call.context(.prepare))
        case .serveWhileRevalidating, .revalidate, .forward: return nil
        }
    }

    private func find(_ fields: HTTPFields) async throws(ClientError) -> Candidate? {
        guard let range = ByteRange(fields) else { return nil }
        let key = self.key
        let entries = try await self.call.asking(self.store, else: []) { store throws(CacheStoreError) in
            try await store.entries(for: key)
        }
        try self.call.checkDeadline()
        let digestKey = try await self.session.digestKey(of: self.store, for: self.call)
        // The setting for decoding does not matter: the client never decodes a range, and `hasParts` below refuses a
        // stored response with a content coding.
        let selectors = [true, false].map { isDecoded in
            var call = self.call
            call.request.options.decodesContent = isDecoded
            return CacheSelector(call, isDecoding: isDecoded, digestKey: digestKey)
        }
        let matching = entries.filter { entry in selectors.contains { $0.matches(entry.response) } }
        guard let choice = StoredResponse.choice(among: matching.map(\.response)), matching[choice].response.hasParts,
            let bounds = range.bounds(in: matching[choice].bodyByteCount)
        else { return nil }
        // "A recipient of an If-Range header field MUST ignore the Range header field if the If-Range condition
        // evaluates as false" (RFC 9110 §13.1.5). The condition may name a newer response than the stored one. Then ask
        // the server.
        let isNamed = fields[values: .ifRange].allSatisfy { matching[choice].response.isNamed(byIfRange: $0) }
        return isNamed ? Candidate(entry: matching[choice], bounds: bounds) : nil
    }

    private func reply(_ candidate: Candidate, isStale: Bool, _ now: Int64) async throws(ClientError) -> HTTPReply? {
        let (entry, bounds, key) = (candidate.entry, candidate.bounds, self.key)
        let age = Duration.seconds(Freshness(entry.response).age(at: now))
        let part = entry.response.part(bounds, of: entry.bodyByteCount)
        let fields = part.servedFields(at: now)
        let status: Response.CacheStatus = isStale ? .stale(age: age) : .cached(age: age)
        guard let response = Response(part, fields: fields, url: self.call.request.url, status) else { return nil }
        let body = try await self.call.asking(self.store, else: nil) { store throws(CacheStoreError) in
            try await store.body(of: entry, for: key)
        }
        guard let body else { return nil }
        return HTTPReply(response: response, body: body.part(bounds, for: self.call))
    }
}

extension ResponseBody {
    /// Returns the bytes of the range, all of which the body must contain.
    fileprivate func part(_ bounds: Range<Int64>, for call: HTTPCall) -> ResponseBody {
        let count = bounds.upperBound - bounds.lowerBound
        if let whole = self.whole,
            let bytes = whole.getSlice(at: whole.readerIndex + Int(bounds.lowerBound), length: Int(count))
        {
            return ResponseBody(bytes)
        }
        return self.transformed(by: RangeCut(bounds, for: call), length: count, for: call)
    }
}

private struct RangeCut: BodyTransform {
    /// The number of unwanted bytes to read at a time.
    private static let pieceByteCount = 64 << 10

    private let call: HTTPCall
    private let byteCount: Int64
    private var skipCount: Int64
    private var restCount: Int64

    init(_ bounds: Range<Int64>, for call: HTTPCall) {
        self.call = call
        self.byteCount = bounds.upperBound - bounds.lowerBound
        self.skipCount = bounds.lowerBound
        self.restCount = self.byteCount
    }

    mutating func next(_ input: BodyInput, atLeast byteCount: Int) throws(ClientError) -> BodyStep {
        switch input {
        case .none: break
        case .bytes(var bytes):
            let skipped = min(self.skipCount, Int64(bytes.readableBytes))
            bytes.moveReaderIndex(forwardBy: Int(skipped))
            self.skipCount -= skipped
            let count = min(self.restCount, Int64(bytes.readableBytes))
            self.restCount -= count
            if count > 0, let part = bytes.readSlice(length: Int(count)) { return .output(part) }
        case .end:
            let received = self.byteCount - self.restCount
            throw .truncated(received: received, expected: self.byteCount, self.call.context(.body))
        }
        guard self.restCount > 0 else { return .end }
        return .read(atLeast: self.skipCount > 0 ? Self.pieceByteCount : byteCount)
    }
}
