// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Synchronization
import TernConnections
import TernCookies
import TernErrors
@_spi(CrossModuleInlining) import TernFields
import TernFoundation
import TernRequests
import TernTransport

/// Sends the store's cookies with each request (RFC 6265bis §5.8); ``Reception`` stores the cookies of each response.
///
/// This stage comes before the cache, which compares the `Cookie` field if `Vary` names it, and after ``Redirects``.
/// ``Reception`` comes after the cache, because a stored response must not set its cookies again.
struct Cookies: Stage {
    let store: (any CookieStore)?

    var isIdle: Bool { self.store == nil }

    func isNeeded(by call: HTTPCall) -> Bool { call.request.options.cookies != nil }

    @inline(__always)  // inlining into the witness saves a stack frame for every call
    func respond(to call: HTTPCall, next: NextStages) async throws(ClientError) -> HTTPReply {
        guard let store = self.store(for: call.request) else { return try await next.respond(to: call) }
        let cookies = ExchangeCookies(store, call)
        var call = call
        try await cookies.write(to: &call)
        call.stageContext[ExchangeCookies.Key.self] = cookies
        return try await next.respond(to: call)
    }

    private func store(for request: Request) -> (any CookieStore)? {
        switch request.options.cookies {
        case .never: nil
        case .store(let store): store
        // A Unix-domain socket leads to a server other than the one that the URL names, so do not use the client's
        // store.
        case nil: request.options.unixSocketPath == nil ? self.store : nil
        }
    }
}

extension Cookies {
    /// Stores the cookies of final responses from the network (RFC 6265bis §5.3): also of an answered 401, but not of a 407.
    struct Reception: Stage {
        let isIdle: Bool

        func isNeeded(by call: HTTPCall) -> Bool { call.request.options.cookies != nil }

        @inline(__always)  // inlining into the witness saves a stack frame for every call
        func respond(to call: HTTPCall, next: NextStages) async throws(ClientError) -> HTTPReply {
            guard let cookies = call.stageContext[ExchangeCookies.Key.self] else {
                return try await next.respond(to: call)
            }
            var call = call
            // After a challenge, the authentication stage sends the request again. Add the cookies that came with the
            // challenge.
            if cookies.isOutdated { try await cookies.write(to: &call) }
            let reply = try await next.respond(to: call)
            // A 407 comes from the proxy, but its cookies would count as the server's.
            guard reply.response.noticedFields.contains(.setCookie), reply.response.statusCode != 407 else {
                return reply
            }
            // If only this call's delegate approved the server, or chose the client certificate, other calls must not
            // send the server's cookies. So only a store that the request itself names keeps them.
            let isForOneCall = reply.response.tls?.isForOneCall == true
            guard !isForOneCall || call.request.options.cookies != nil else { return reply }
            try await cookies.receive(reply.response, to: call)
            return reply
        }
    }
}

/// The cookies of one request and its response: ``Cookies`` writes those of the request, and ``Cookies/Reception`` stores those
/// of the response.
final class ExchangeCookies: Sendable {
    enum Key: StageContextKey { typealias Value = ExchangeCookies }

    private let store: any CookieStore
    private let request: CookieRequest
    private let clock: any TransportClock
    private let own: [[UInt8]]
    private let hasReceived = Atomic(false)

    init(_ store: any CookieStore, _ call: HTTPCall) {
        let origin = call.destination.origin
        self.store = store
        self.clock = call.clock
        self.request = CookieRequest(
            host: origin.host,
            isSecure: origin.scheme == .https,
            path: String(call.destination.path),
            cause: Self.cause(of: call)
        )
        self.own = call.request.fields[fields: .cookie].map { field in field.withUnsafeBytesOfValue { Array($0) } }
    }

    var isOutdated: Bool { self.hasReceived.load(ordering: .relaxed) }

    private var now: Date { Date(timeIntervalSince1970: TimeInterval(self.clock.date.secondsSince1970)) }

    /// Writes one `Cookie` field (RFC 6265bis §5.8.1): the caller's cookies, then the store's with other names, unless the call
    /// ends first.
    func write(to call: inout HTTPCall) async throws(ClientError) {
        self.hasReceived.store(false, ordering: .relaxed)
        let names = Set(self.own.flatMap(Self.names))
        let now = self.now
        let all = try await Bounded.run(for: call, in: .prepare) {
            await self.store.cookies(for: self.request, at: now)
        }
        let kept = all.filter { !names.contains($0.nameBytes) }
        let values = (self.own + [Cookie.fieldValue(of: kept)]).filter { !$0.isEmpty }
        call.request.fields[.cookie] = nil
        guard !values.isEmpty else { return }
        call.request.fields.append(HTTPField(name: .cookie, value: Array(values.joined(separator: [0x3B, 0x20]))))
    }

    /// Stores the cookies of a response, unless the call ends first, so that a slow store does not hold the connection.
    func receive(_ response: Response, to call: HTTPCall) async throws(ClientError) {
        let fields = response.fields[fields: .setCookie].compactMap { field in
            // Ignore a field that cannot be parsed, as RFC 6265bis says.
            field.withUnsafeBytesOfValue { bytes in try? SetCookie(parsing: bytes.span) }
        }
        guard !fields.isEmpty else { return }
        let now = self.now
        try await Bounded.run(for: call, in: .head) { await self.store.receive(fields, from: self.request, at: now) }
        self.hasReceived.store(true, ordering: .relaxed)
    }

    private static func names(_ value: [UInt8]) -> [[UInt8]] {
        value.split(separator: UInt8(ascii: ";")).map { pair in
            let name = pair.prefix { $0 != UInt8(ascii: "=") }
            guard name.count < pair.count else { return [] }
            return Array(name.drop { $0 == 0x20 || $0 == 0x09 }.reversed().drop { $0 == 0x20 || $0 == 0x09 }.reversed())
        }
    }

    /// Returns the cause of the request (RFC 6265bis §5.2): the page that the request names, or else the application.
    private static func cause(of call: HTTPCall) -> CookieRequest.Cause {
        guard let site = call.request.options.siteForCookies else { return .sameSite }
        let origin = call.destination.origin
        do throws(RequestFailure) {
            let page = try Destination(site.url).origin
            let isSameSite = page.scheme == origin.scheme && PublicSuffixList.bundled.isSameSite(page.host, origin.host)
            if isSameSite { return .sameSite }
        } catch {
            // The page has no origin, so it is not of the same site.
        }
        return site.isNavigation ? .crossSiteNavigation(isSafe: call.request.method.isSafe) : .crossSite
    }
}
