// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernErrors
import TernRequests
import TernStrictTransport
import TernTransport

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Asks hosts by https that have said that they are to be asked so, and learns which have (RFC 6797).
///
/// It stands behind redirects, so that each hop is looked at.
struct StrictTransport: Stage {
    /// What is known; `nil` if nothing is kept.
    let store: (any StrictTransportStore)?

    var isIdle: Bool { self.store == nil }
    func isNeeded(by call: Call) -> Bool { false }

    func respond(to call: Call, next: Next) async throws(ClientError) -> Reply {
        // A socket leads to another server than the one whose name its requests bear.
        guard let store = self.store, call.request.options.unixSocketPath == nil else {
            return try await next.respond(to: call)
        }
        var call = call
        let origin = call.destination.origin
        if origin.scheme == .http, store.contains(origin.host, now: call.clock.date) { try Self.upgrade(&call) }
        let reply = try await next.respond(to: call)
        Self.learn(from: reply.response, of: call, store)
        return reply
    }

    /// "The UA MUST replace the URI scheme with "https" and if the URI contains an explicit port component of "80", then
    /// the UA MUST convert the port component to be "443"" (RFC 6797 §8.3); another port is kept.
    private static func upgrade(_ call: inout Call) throws(ClientError) {
        guard var parts = URLComponents(url: call.request.url, resolvingAgainstBaseURL: true) else { return }
        parts.scheme = parts.scheme?.lowercased() == "ws" ? "wss" : "https"
        if parts.port == 80 { parts.port = 443 }
        do throws(InvalidRequest) {
            guard let url = parts.url else { throw .malformedURL }
            call.request.url = url
            call.destination = try call.request.destination()
        } catch {
            throw .invalidRequest(error, call.context(.prepare))
        }
        call.delegation?.begin(call.request, attempt: call.attempt)
    }

    /// Notes what the server says of itself, unless others may have put it there.
    ///
    /// What came over plain HTTP is not believed; nor is what came over TLS that only a delegate approved of. Of several
    /// fields the first counts (RFC 6797 §8.1).
    private static func learn(from response: Response, of call: Call, _ store: any StrictTransportStore) {
        guard call.destination.origin.scheme == .https, response.tls?.trust.evaluation == nil,
            let text = response.fields[values: .strictTransportSecurity].first,
            let policy = StrictTransportPolicy(text)
        else { return }
        store.note(policy, of: call.destination.origin.host, now: call.clock.date)
    }
}
