// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernErrors
import TernFoundation
import TernRequests
import TernStrictTransport
import TernTransport

/// Learns from the network, after the cache, which hosts demand https (RFC 6797); ``Redirects`` then uses https for them.
struct StrictTransportReception: Stage {
    let store: (any StrictTransportStore)?

    var isIdle: Bool { self.store == nil }

    func isNeeded(by call: HTTPCall) -> Bool { false }

    @inline(__always)  // inlining into the witness saves a stack frame for every call
    func respond(to call: HTTPCall, next: NextStages) async throws(ClientError) -> HTTPReply {
        let reply = try await next.respond(to: call)
        // A Unix-domain socket leads to a server other than the one that the URL names, so learn nothing about that
        // host.
        guard let store = self.store, call.request.options.unixSocketPath == nil else { return reply }
        Self.learn(from: reply.response, of: call, store)
        return reply
    }

    /// Stores the policy unless the connection had "secure transport errors or warnings" (RFC 6797 §8.1): only a delegate approved
    /// it, or nothing verified its certificates.
    private static func learn(from response: Response, of call: HTTPCall, _ store: any StrictTransportStore) {
        guard call.destination.origin.scheme == .https, response.cacheStatus == .network,
            let tls = response.tls, tls.trust.evaluation == nil, !tls.trust.verifiedChain.isEmpty,
            let text = response.fields[values: .strictTransportSecurity].first,
            let policy = StrictTransportPolicy(text)
        else { return }
        store.note(policy, of: call.destination.origin.host, now: call.clock.date)
    }
}

/// Decides which requests must use https at a given time, although their URL says http (RFC 6797 §8.3).
struct StrictTransportRule {
    let store: any StrictTransportStore
    let now: HTTPDate

    /// Whether an origin uses http although its host demands https.
    func concerns(_ origin: Origin) -> Bool {
        origin.scheme == .http && self.store.contains(origin.host, now: self.now)
    }

    /// Whether a request must use https; not through a Unix-domain socket, which does not lead to the server in the URL.
    func concerns(_ request: Request, to destination: Destination) -> Bool {
        request.options.unixSocketPath == nil && self.concerns(destination.origin)
    }

    /// Returns the `https` or `wss` URL, with port 443 in place of 80 (RFC 6797 §8.3); if that fails, the request must not be
    /// sent.
    static func secured(_ url: URL) throws(RequestFailure) -> URL {
        guard var parts = URLComponents(url: url, resolvingAgainstBaseURL: true) else { throw .malformedURL }
        parts.scheme = parts.scheme?.lowercased() == "ws" ? "wss" : "https"
        if parts.port == 80 { parts.port = 443 }
        guard let url = parts.url else { throw .malformedURL }
        return url
    }
}
