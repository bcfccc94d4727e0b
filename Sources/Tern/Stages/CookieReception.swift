// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernErrors
import TernTransport

/// Keeps the cookies of every response that came over the network, of a 401 that is answered here as well.
///
/// Interim responses are not looked at: "User agents MAY ignore Set-Cookie header fields contained in responses with
/// 100-level status codes" (RFC 6265bis §5.3).
struct CookieReception: Stage {
    let isIdle: Bool

    func isNeeded(by call: HTTPCall) -> Bool { call.request.options.cookies != nil }

    @inline(__always)  // into its witness: one frame less on the way of every call
    func respond(to call: HTTPCall, next: NextStages) async throws(ClientError) -> HTTPReply {
        guard let round = call.stageContext[CookieRound.Key.self] else { return try await next.respond(to: call) }
        var call = call
        // The stage above asks again after a challenge, with the cookies that came with it.
        if round.isOutdated { try await round.write(to: &call) }
        let reply = try await next.respond(to: call)
        // A 407 is the proxy's, and the cookies would be the server's.
        guard reply.response.noticedFields.contains(.setCookie), reply.response.statusCode != 407 else { return reply }
        // Other calls trust neither a server that this call's own delegate approved, nor its cookies.
        let isForOneCall = reply.response.tls?.isForOneCall == true
        guard !isForOneCall || call.request.options.cookies != nil else { return reply }
        try await round.receive(reply.response, to: call)
        return reply
    }
}
