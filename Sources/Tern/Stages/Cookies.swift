// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Synchronization
import TernConnections
import TernCookies
import TernErrors
@_spi(CrossModuleInlining) import TernFields
import TernRequests
import TernTransport

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Sends the cookies that the store has for each request (RFC 6265bis §5.8), and keeps those of each response.
///
/// It has two places in the list, because the cache stands between them: the cache compares the `Cookie` field of a request
/// (`Vary`), and a response that it has stored must set no cookie again. This one writes the field, to a copy of the call
/// behind the stage that follows redirects, so that no cookie goes to another host. ``Reception`` is the other.
struct Cookies: Stage {
    let store: (any CookieStore)?

    var isIdle: Bool { self.store == nil }

    func isNeeded(by call: HTTPCall) -> Bool { call.request.options.cookies != nil }

    @inline(__always)  // into its witness: one frame less on the way of every call
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
        // A socket leads to another server than the one whose name its requests bear.
        case nil: request.options.unixSocketPath == nil ? self.store : nil
        }
    }
}

extension Cookies {
    /// Keeps the cookies of every response that came over the network, also of a 401 that the stage above answers.
    ///
    /// Interim responses are not looked at: "User agents MAY ignore Set-Cookie header fields contained in responses with
    /// 100-level status codes" (RFC 6265bis §5.3).
    struct Reception: Stage {
        let isIdle: Bool

        func isNeeded(by call: HTTPCall) -> Bool { call.request.options.cookies != nil }

        @inline(__always)  // into its witness: one frame less on the way of every call
        func respond(to call: HTTPCall, next: NextStages) async throws(ClientError) -> HTTPReply {
            guard let cookies = call.stageContext[ExchangeCookies.Key.self] else {
                return try await next.respond(to: call)
            }
            var call = call
            // The stage above asks again after a challenge, with the cookies that came with it.
            if cookies.isOutdated { try await cookies.write(to: &call) }
            let reply = try await next.respond(to: call)
            // A 407 is the proxy's, and the cookies would be the server's.
            guard reply.response.noticedFields.contains(.setCookie), reply.response.statusCode != 407 else {
                return reply
            }
            // Other calls trust neither a server that this call's own delegate approved, nor its cookies.
            let isForOneCall = reply.response.tls?.isForOneCall == true
            guard !isForOneCall || call.request.options.cookies != nil else { return reply }
            try await cookies.receive(reply.response, to: call)
            return reply
        }
    }
}

/// The cookies of one exchange: the sending stage writes them, and the receiving stage reads those of the response.
final class ExchangeCookies: Sendable {
    /// Hands the cookies from the sending stage to the receiving one.
    enum Key: StageContextKey { typealias Value = ExchangeCookies }

    private let store: any CookieStore
    private let request: CookieRequest
    private let clock: any TransportClock
    /// The fields that the caller set.
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

    /// Whether cookies came since the field was written.
    var isOutdated: Bool { self.hasReceived.load(ordering: .relaxed) }

    private var now: Date { Date(timeIntervalSince1970: TimeInterval(self.clock.date.secondsSince1970)) }

    /// Writes the field: the caller's own cookies, then those of the store that have other names.
    ///
    /// "When the user agent generates an HTTP/1.x request, the user agent MUST NOT attach more than one Cookie header
    /// field" (RFC 6265bis §5.8.1).
    ///
    /// - Throws: `ClientError.cancelled` or `ClientError.timedOut`, at once, whatever the store does.
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

    /// Keeps what a response to a call sets.
    ///
    /// - Throws: `ClientError.cancelled` or `ClientError.timedOut`, at once, whatever the store does: the response and its
    ///   connection wait for it.
    func receive(_ response: Response, to call: HTTPCall) async throws(ClientError) {
        let fields = response.fields[fields: .setCookie].compactMap { field in
            // What cannot be read is ignored, as the RFC has it.
            field.withUnsafeBytesOfValue { bytes in try? SetCookie(parsing: bytes.span) }
        }
        guard !fields.isEmpty else { return }
        let now = self.now
        try await Bounded.run(for: call, in: .head) { await self.store.receive(fields, from: self.request, at: now) }
        self.hasReceived.store(true, ordering: .relaxed)
    }

    /// The names in a field that the caller set.
    private static func names(_ value: [UInt8]) -> [[UInt8]] {
        value.split(separator: UInt8(ascii: ";")).map { pair in
            let name = pair.prefix { $0 != UInt8(ascii: "=") }
            guard name.count < pair.count else { return [] }
            return Array(name.drop { $0 == 0x20 || $0 == 0x09 }.reversed().drop { $0 == 0x20 || $0 == 0x09 }.reversed())
        }
    }

    /// The cause of the request (RFC 6265bis §5.2): the application, unless it names a page.
    private static func cause(of call: HTTPCall) -> CookieRequest.Cause {
        guard let site = call.request.options.siteForCookies else { return .sameSite }
        let origin = call.destination.origin
        do throws(RequestFailure) {
            let page = try Destination(site.url).origin
            let isSameSite = page.scheme == origin.scheme && PublicSuffixList.shipped.isSameSite(page.host, origin.host)
            if isSameSite { return .sameSite }
        } catch {
            // A page that has no origin is in no site.
        }
        return site.isNavigation ? .crossSiteNavigation(isSafe: call.request.method.isSafe) : .crossSite
    }
}
