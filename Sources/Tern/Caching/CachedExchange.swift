// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import NIOCore
import TernCacheStores
import TernCaching
import TernErrors
import TernRequests
import TernTransport

/// Handles a call that may be answered from the cache; ``CacheDecision`` decides whether it is.
struct CachedExchange: Sendable {
    let store: any CacheStore
    let session: CacheSession
    let key: CacheKey
    let selector: CacheSelector
    /// The codings that the client can decode; `nil` if it leaves the content of this call's response as it is.
    let codings: ContentCodings?
    let policy: CachePolicy
    var call: HTTPCall
    let next: NextStages
    /// The lease that this call holds while equal requests wait for its response.
    var ticket: CollapseLease?
    /// Whether this is a background revalidation, so that only the store reads the response.
    var isInBackground = false

    /// A request to the server: when it was sent, the writer that stores its response, and the fields that were sent.
    struct Asking {
        let time: Int64
        let writer: (any CacheWriter)?
        let sent = SentFields()
    }

    var now: Int64 { self.call.clock.date.secondsSince1970 }
    var method: HTTPRequest.Method { self.call.request.method }

    /// Answers the call from the cache or the server, a second time if the stored response had lost its body.
    mutating func respond(isRetryAfterLostBody: Bool = false) async throws(ClientError) -> HTTPReply {
        var found = try await self.find()
        var decision = self.decision(found)
        if self.mayCollapse(decision), try await self.waitForEqualRequest() {
            found = try await self.find()
            decision = self.decision(found)
        }
        switch decision {
        case .refuse:
            throw .notCached(self.call.context(.prepare))
        case .serve(let isStale):
            if let found, let reply = try await self.reply(found, isStale: isStale) { return reply }
        case .serveWhileRevalidating:
            if let found, let reply = try await self.reply(found, isStale: true) {
                self.refresh(found)
                return reply
            }
        case .revalidate(let validators):
            // Add a condition only to GET: without a condition, the answer to HEAD is as short as a 304, and says more.
            if let found, self.method == .get { return try await self.revalidate(found, validators) }
            return try await self.fetch(else: found)
        case .forward:
            return try await self.fetch(else: self.policy == .reload ? nil : found)
        }
        // The body is no longer in the store, most likely because a newer response has just replaced it.
        if !isRetryAfterLostBody { return try await self.respond(isRetryAfterLostBody: true) }
        if self.isCachedOnly { throw .notCached(self.call.context(.prepare)) }
        return try await self.fetch(else: nil)
    }

    private var isCachedOnly: Bool {
        self.policy == .onlyCached || CacheControl(self.call.request.fields).onlyIfCached
    }

    /// The status that caused this retry, whose stored responses the retry ignores, unless only the cache may answer.
    var retriedStatus: Int? { self.isCachedOnly ? nil : self.call.stageContext[RetriedStatus.self] }

    private func find() async throws(ClientError) -> CacheEntry? {
        guard self.policy != .reload || self.method == .head else { return nil }
        let key = self.key
        let entries = try await self.asking(else: []) { store throws(CacheStoreError) in
            try await store.entries(for: key)
        }
        try self.call.checkDeadline()
        let matching = entries.filter { self.selector.matches($0.response) }
        guard let choice = StoredResponse.choice(among: matching.map(\.response)),
            matching[choice].response.statusCode != self.retriedStatus
        else { return nil }
        return matching[choice]
    }

    func asking<Value: Sendable>(
        else fallback: Value,
        _ work: @escaping @Sendable (any CacheStore) async throws(CacheStoreError) -> Value
    ) async throws(ClientError) -> Value {
        try await self.call.asking(self.store, else: fallback, work)
    }

    func forget() async throws(ClientError) {
        let key = self.key
        try await self.asking(else: ()) { store throws(CacheStoreError) in try await store.remove(key) }
    }

    private func decision(_ found: CacheEntry?) -> CacheDecision {
        CacheDecision(self.call.request.fields, self.policy, stored: found?.response, now: self.now)
    }

    // MARK: From the cache

    /// Returns the stored response as a reply, or `nil` if the store no longer has its body.
    private func reply(
        _ entry: CacheEntry,
        isStale: Bool,
        isValidated: Bool = false,
        adding fields: HTTPFields = [:]
    ) async throws(ClientError) -> HTTPReply? {
        let now = self.now
        let age = Duration.seconds(Freshness(entry.response).age(at: now))
        let status: Response.CacheStatus =
            isValidated ? .revalidated(age: age) : isStale ? .stale(age: age) : .cached(age: age)
        var served = entry.response.servedFields(at: now, isValidated: isValidated)
        for field in fields { served.append(field) }
        guard let response = Response(entry.response, fields: served, url: self.call.request.url, status) else {
            return nil
        }
        if self.method == .head { return HTTPReply(response: response, body: ResponseBody(ByteBuffer())) }
        let key = self.key
        let body = try await self.asking(else: nil) { store throws(CacheStoreError) in
            try await store.body(of: entry, for: key)
        }
        guard let body else { return nil }
        // The selector ensures that the stored body was decoded if this call decodes content.
        return HTTPReply(response: self.codings?.decoded(response) ?? response, body: body)
    }

    // MARK: From the server

    private func mayCollapse(_ decision: CacheDecision) -> Bool {
        guard self.call.request.options.collapses == true, self.method == .get else { return false }
        // A request that demands revalidation must not share another request's answer.
        guard self.policy != .reload, self.policy != .revalidate,
            !CacheControl(self.call.request.fields).demandsValidation
        else { return false }
        switch decision {
        case .revalidate, .forward: return true
        case .serve, .serveWhileRevalidating, .refuse: return false
        }
    }

    /// Registers the call's request as the first of several equal requests, or waits for the first one; returns whether it
    /// waited.
    private mutating func waitForEqualRequest() async throws(ClientError) -> Bool {
        self.ticket = try await self.session.join(
            CacheSession.CollapseKey(key: self.key, selector: self.selector.digest),
            self.call
        )
        return self.ticket == nil
    }

    /// Opens the writer before the client sends the request; if another call changes the response meanwhile, the write is
    /// discarded.
    private func begin(_ call: inout HTTPCall) async throws(ClientError) -> Asking {
        var writer: (any CacheWriter)?
        if self.method == .get {
            let key = self.key
            writer = try await self.asking(else: nil) { store throws(CacheStoreError) -> (any CacheWriter)? in
                try await store.makeWriter(for: key)
            }
            try self.call.checkDeadline()
        }
        let asking = Asking(time: self.now, writer: writer)
        call.stageContext[SentFields.Key.self] = asking.sent
        return asking
    }

    /// Asks the server and stores its response; if the server fails, returns the stale response where that is allowed.
    private func fetch(else found: CacheEntry?) async throws(ClientError) -> HTTPReply {
        defer { withExtendedLifetime(self.ticket) {} }
        var call = self.call
        if self.policy == .reload, !call.request.fields.contains(.cacheControl) {
            call.request.fields[.cacheControl] = "no-cache"  // so that caches on the path ask the server, too
        }
        let asking = try await self.begin(&call)
        guard let reply = try await self.ask(call, else: found) else { return try await self.staleReply(found, call) }
        return try await self.storing(reply, asking, found)
    }

    /// Returns the server's reply, or `nil` if the server failed and the stored response may be used instead.
    private func ask(_ call: HTTPCall, else found: CacheEntry?) async throws(ClientError) -> HTTPReply? {
        let isAllowed = found.map {
            CacheDecision.allowsOnError($0.response, call.request.fields, now: self.now)
        }
        guard isAllowed == true else { return try await self.next.respond(to: call) }
        do throws(ClientError) {
            let reply = try await self.next.respond(to: call)
            return CacheDecision.isError(reply.response.statusCode) ? nil : reply
        } catch {
            guard error.isConnectivity else { throw error }
            return nil
        }
    }

    private func staleReply(_ found: CacheEntry?, _ call: HTTPCall) async throws(ClientError) -> HTTPReply {
        if let found, let reply = try await self.reply(found, isStale: true) { return reply }
        return try await self.again(call)
    }

    private func again(_ original: HTTPCall) async throws(ClientError) -> HTTPReply {
        var call = original
        call.attempt += 1
        call.delegation?.begin(call.request, attempt: call.attempt)
        let asking = try await self.begin(&call)
        return try await self.storing(try await self.next.respond(toAttempt: call), asking, nil)
    }

    private func revalidate(
        _ found: CacheEntry,
        _ validators: HTTPFields
    ) async throws(ClientError) -> HTTPReply {
        defer { withExtendedLifetime(self.ticket) {} }
        var call = self.call
        for field in validators { call.request.fields[field.name] = field.value }
        if self.policy == .revalidate, !call.request.fields.contains(.cacheControl) {
            call.request.fields[.cacheControl] = "max-age=0"  // so that caches on the path ask the server, too
        }
        let asking = try await self.begin(&call)
        guard var reply = try await self.ask(call, else: found) else {
            return try await self.staleReply(found, self.call)
        }
        guard reply.response.statusCode == 304 else { return try await self.storing(reply, asking, found) }
        reply.discardBody()  // another request may need the connection
        let fields = reply.response.fields
        let confirmation = found.response.confirmation(by: fields)
        if confirmation != .isAnother {
            let isUpdated = confirmation == .updates && reply.response.isTrustedByEveryCall
            let (entry, isKept) = isUpdated ? self.updated(found, by: fields, asking) : (found, true)
            let cookies = HTTPFields(fields.filter { $0.name == .setCookie })
            let answer = try await self.reply(entry, isStale: false, isValidated: true, adding: cookies)
            // Update the entry only now: the store may drop the old body, but the answer has opened it.
            if isUpdated { try await self.keep(entry, isKept) }
            if let answer { return answer }
        }
        // Either the 304 is about another response: "the cache MUST NOT use the new response to update any stored
        // responses" (RFC 9111 §4.3.4). Or the stored body is gone or cannot be read.
        if confirmation == .isAnother, reply.response.isTrustedByEveryCall { try await self.forget() }
        return try await self.again(self.call)
    }

    // MARK: Background revalidation

    /// Revalidates the response that the caller has just received, in a separate task and without events for delegates.
    private func refresh(_ found: CacheEntry) {
        let decider = self.call.delegation?.background(self.call.request)
        var timeouts = self.call.timeouts
        if timeouts.call == nil { timeouts.call = CacheSession.refreshLimit }
        var exchange = self
        exchange.isInBackground = true
        // Other calls may reuse the connection, so ask only the client's delegate whether to trust the server.
        exchange.call = HTTPCall(
            self.call.request,
            to: self.call.destination,
            timeouts: timeouts,
            clock: self.call.clock,
            decider: decider
        )
        let validators = found.response.validators
        self.session.refresh(self.key) { [exchange] in
            defer { decider?.dismiss() }
            do throws(ClientError) {
                let reply =
                    validators.isEmpty
                    ? try await exchange.fetch(else: nil) : try await exchange.revalidate(found, validators)
                guard case .network = reply.response.cacheStatus else { return }
                var reader = reply.body.makeReader()
                while try await reader.next(atLeast: 64 << 10) != nil {}
            } catch {
                return  // ignore the failure: the stored response stays until it is too old
            }
        }
    }
}
