// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import NIOCore
import TernCaching
import TernErrors
import TernRequests
import TernTransport

/// One call that the cache may have something to say to: does what ``CacheDecision`` decides.
struct CachedExchange: Sendable {
    let store: any CacheStore
    let session: CacheSession
    let key: CacheKey
    let policy: CachePolicy
    var call: Call
    let next: Next
    /// Held while others wait for this one.
    var ticket: CacheTicket?

    private var now: Int64 { self.call.clock.date.secondsSince1970 }
    private var method: HTTPRequest.Method { self.call.request.method }

    /// Answers the call.
    mutating func respond() async throws(ClientError) -> Reply {
        let found = await self.find()
        switch self.decision(found) {
        case .refuse:
            throw .notCached(self.call.context(.prepare))
        case .serve(let isStale):
            if let found, let reply = await self.reply(found, isStale: isStale) { return reply }
        case .serveWhileRevalidating:
            if let found, let reply = await self.reply(found, isStale: true) {
                self.refresh(found)
                return reply
            }
        case .revalidate(let validators):
            if let reply = try await self.joining() { return reply }
            // The answer to HEAD is as short as a 304, and says more.
            if let found, self.method == .get { return try await self.revalidate(found, validators) }
            return try await self.fetch(else: found)
        case .forward:
            if let reply = try await self.joining() { return reply }
            return try await self.fetch(else: self.policy == .reload ? nil : found)
        }
        // What was to be used is gone.
        if self.policy == .onlyCached || CacheControl(self.call.request.fields).onlyIfCached {
            throw .notCached(self.call.context(.prepare))
        }
        return try await self.fetch(else: nil)
    }

    private func find() async -> CacheEntry? {
        guard self.policy != .reload || self.method == .head else { return nil }
        guard let entries = try? await self.store.entries(for: self.key) else { return nil }
        return entries.first { $0.response.variant.answers(self.call.request) }
    }

    private func decision(_ found: CacheEntry?) -> CacheDecision {
        CacheDecision(self.call.request.fields, self.policy, stored: found?.response, now: self.now)
    }

    // MARK: From the cache

    /// The stored response; `nil` if its body is gone.
    private func reply(
        _ entry: CacheEntry,
        isStale: Bool,
        isValidated: Bool = false,
        adding fields: HTTPFields = [:]
    ) async -> Reply? {
        let now = self.now
        let age = Duration.seconds(Freshness(entry.response).age(at: now))
        let status: Response.CacheStatus =
            isValidated ? .revalidated(age: age) : isStale ? .stale(age: age) : .cached(age: age)
        var served = entry.response.servedFields(at: now, isValidated: isValidated)
        for field in fields { served.append(field) }
        guard let response = Response(entry.response, fields: served, url: self.call.request.url, status) else {
            return nil
        }
        if self.method == .head { return Reply(response: response, body: ResponseBody(ByteBuffer())) }
        guard let body = try? await self.store.body(of: entry, for: self.key) else { return nil }
        return Reply(response: response, body: body)
    }

    // MARK: From the server

    /// Waits for an equal request, if that is wanted and there is one, and then looks again.
    private mutating func joining() async throws(ClientError) -> Reply? {
        guard self.ticket == nil, self.method == .get, self.call.request.options.collapses == true else { return nil }
        self.ticket = try await self.session.join(self.key, self.call)
        guard self.ticket == nil else { return nil }
        let found = await self.find()
        guard case .serve(let isStale) = self.decision(found), let found else { return nil }
        return await self.reply(found, isStale: isStale)
    }

    /// Asks the server, and stores the answer; a stale response helps out where it may.
    private func fetch(else found: CacheEntry?) async throws(ClientError) -> Reply {
        defer { withExtendedLifetime(self.ticket) {} }
        var call = self.call
        if self.policy == .reload, !call.request.fields.contains(.cacheControl) {
            call.request.fields[.cacheControl] = "no-cache"  // for caches on the way, as browsers do
        }
        let requestTime = self.now
        guard let reply = try await self.ask(call, else: found) else { return try await self.helpedOut(found, call) }
        return await self.storing(reply, requestTime, found)
    }

    /// - Returns: `nil` if the stored response is to be used, because the server failed.
    private func ask(_ call: Call, else found: CacheEntry?) async throws(ClientError) -> Reply? {
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

    private func helpedOut(_ found: CacheEntry?, _ call: Call) async throws(ClientError) -> Reply {
        if let found, let reply = await self.reply(found, isStale: true) { return reply }
        return try await self.again(call)
    }

    /// Asks without a condition, once more.
    private func again(_ original: Call) async throws(ClientError) -> Reply {
        var call = original
        call.attempt += 1
        call.delegation?.begin(call.request, attempt: call.attempt)
        let requestTime = self.now
        return await self.storing(try await self.next.respond(to: call), requestTime, nil)
    }

    private func revalidate(
        _ found: CacheEntry,
        _ validators: HTTPFields
    ) async throws(ClientError) -> Reply {
        defer { withExtendedLifetime(self.ticket) {} }
        var call = self.call
        for field in validators { call.request.fields[field.name] = field.value }
        if self.policy == .revalidate, !call.request.fields.contains(.cacheControl) {
            call.request.fields[.cacheControl] = "max-age=0"  // for caches on the way
        }
        let requestTime = self.now
        guard var reply = try await self.ask(call, else: found) else {
            return try await self.helpedOut(found, self.call)
        }
        guard reply.response.statusCode == 304 else { return await self.storing(reply, requestTime, found) }
        reply.body = ResponseBody(ByteBuffer())  // releases the connection, for one more request if there must be one
        let fields = reply.response.fields
        let confirmation = found.response.confirmation(by: fields)
        if confirmation != .isAnother {
            let entry = confirmation == .updates ? await self.freshen(found, by: fields, requestTime) : found
            let cookies = HTTPFields(fields.filter { $0.name == .setCookie })
            if let reply = await self.reply(entry, isStale: false, isValidated: true, adding: cookies) { return reply }
        }
        // The server means another response, or ours is gone. "If … none … the cache MUST NOT update" (§4.3.4).
        try? await self.store.remove(self.key)
        return try await self.again(self.call)
    }

    private func freshen(_ entry: CacheEntry, by fields: HTTPFields, _ requestTime: Int64) async -> CacheEntry {
        var entry = entry
        entry.response = entry.response.updated(by: fields, requestTime: requestTime, responseTime: self.now)
        // Stored still, whatever the newer answer says, unless that says that it must not be.
        if CacheControl(entry.response.fields).noStore {
            try? await self.store.remove(self.key)
        } else {
            try? await self.store.update(entry, for: self.key)
        }
        return entry
    }

    // MARK: Into the cache

    private func storing(_ original: Reply, _ requestTime: Int64, _ found: CacheEntry?) async -> Reply {
        var reply = original
        guard reply.upgrade == nil else { return reply }
        if self.method == .head {
            await self.learn(from: reply.response, requestTime, found)
            return reply
        }
        var stored = StoredResponse(
            statusCode: reply.response.statusCode,
            reasonPhrase: reply.response.status.reasonPhrase,
            fields: reply.response.fields,
            requestTime: requestTime,
            responseTime: self.now
        )
        guard let variant = Variant(reply.response, to: self.call.request),
            StoredResponse.isStorable(method: self.method, request: self.call.request.fields, response: stored),
            reply.body.length ?? 0 <= self.store.maximumBodyByteCount
        else {
            // What is stored is no longer what the server gives.
            if found != nil || self.policy == .reload, reply.response.isSuccess {
                try? await self.store.remove(self.key)
            }
            return reply
        }
        stored.variant = variant
        guard let writer = try? await self.store.makeWriter(for: self.key) else { return reply }
        guard let whole = reply.body.whole else {
            let limit = self.store.maximumBodyByteCount
            reply.body = ResponseBody(StoringBodySource(reply.body, stored, writer, limit: limit, self.ticket))
            return reply
        }
        do throws(CacheStoreFailure) {
            if whole.readableBytes > 0 { try await writer.append(whole) }
            try await writer.commit(stored)
        } catch {
            return reply
        }
        return reply
    }

    /// Updates what is stored by an answer to HEAD, or forgets it, if that is about another (RFC 9111 §4.3.5).
    private func learn(from response: Response, _ requestTime: Int64, _ found: CacheEntry?) async {
        guard let found, response.statusCode == 200 else { return }
        let lengths = (response.contentLength, found.response.fields[.contentLength].flatMap { Int64($0) })
        let isSameLength = lengths.0 == nil || lengths.1 == nil || lengths.0 == lengths.1
        switch found.response.confirmation(by: response.fields) {
        case .updates where isSameLength: _ = await self.freshen(found, by: response.fields, requestTime)
        case .keeps where isSameLength: break
        default: try? await self.store.remove(self.key)
        }
    }

    // MARK: In the background

    /// Validates what was just used, in a task of its own, which no delegate is asked or told about.
    private func refresh(_ found: CacheEntry) {
        let call = Call(
            self.call.request,
            to: self.call.destination,
            timeouts: self.call.timeouts,
            clock: self.call.clock
        )
        var exchange = self
        exchange.call = call
        let validators = found.response.validators
        self.session.refresh(self.key) { [exchange] in
            do throws(ClientError) {
                let reply =
                    validators.isEmpty
                    ? try await exchange.fetch(else: nil) : try await exchange.revalidate(found, validators)
                var reader = reply.body.makeReader()
                while try await reader.next(atLeast: 64 << 10) != nil {}
            } catch {
                return  // what is stored becomes too old in time
            }
        }
    }
}
