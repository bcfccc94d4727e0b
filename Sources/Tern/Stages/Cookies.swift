// SPDX-License-Identifier: Apache-2.0
import TernCookies
import TernErrors
import TernRequests
import TernTransport

/// Gives each hop the cookies that the store has for it (RFC 6265bis §5.8); ``CookieReception`` keeps what comes.
///
/// The field is added to a copy of the call, behind the stage that follows redirects, so none goes to another host.
struct Cookies: Stage {
    let store: (any CookieStore)?

    var isIdle: Bool { self.store == nil }

    func isNeeded(by call: HTTPCall) -> Bool { call.request.options.cookies != nil }

    @inline(__always)  // into its witness: one frame less on the way of every call
    func respond(to call: HTTPCall, next: NextStages) async throws(ClientError) -> HTTPReply {
        guard let store = self.store(for: call.request) else { return try await next.respond(to: call) }
        let round = CookieRound(store, call)
        var call = call
        try await round.write(to: &call)
        call.stageContext[CookieRound.Key.self] = round
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
