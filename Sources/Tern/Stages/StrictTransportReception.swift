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

/// Learns which hosts are to be asked by https alone (RFC 6797); ``Redirects`` asks them so.
///
/// It stands behind the cache: a response that was stored says nothing new, and the connection that it came by is not
/// known any more.
struct StrictTransportReception: Stage {
    /// What is known; `nil` if nothing is kept.
    let store: (any StrictTransportStore)?

    var isIdle: Bool { self.store == nil }

    func isNeeded(by call: HTTPCall) -> Bool { false }

    @inline(__always)  // into its witness: one frame less on the way of every call
    func respond(to call: HTTPCall, next: NextStages) async throws(ClientError) -> HTTPReply {
        let reply = try await next.respond(to: call)
        // A socket leads to another server than the one whose name its requests bear.
        guard let store = self.store, call.request.options.unixSocketPath == nil else { return reply }
        Self.learn(from: reply.response, of: call, store)
        return reply
    }

    /// Notes what the server says of itself, unless others may have put it there.
    ///
    /// "If an HTTP response, received over a secure transport, includes an STS header field … and there are no underlying
    /// secure transport errors or warnings": what only a delegate approved of had one. Of several fields the first counts
    /// (RFC 6797 §8.1).
    private static func learn(from response: Response, of call: HTTPCall, _ store: any StrictTransportStore) {
        guard call.destination.origin.scheme == .https, response.cacheStatus == .network,
            let tls = response.tls, tls.trust.evaluation == nil,
            let text = response.fields[values: .strictTransportSecurity].first,
            let policy = StrictTransportPolicy(text)
        else { return }
        store.note(policy, of: call.destination.origin.host, now: call.clock.date)
    }
}

/// Which requests go by https although their URL says otherwise (RFC 6797 §8.3), at one moment.
struct StrictTransportRule {
    let store: any StrictTransportStore
    let now: HTTPDate

    /// Whether a host that would be asked by http is to be asked by https.
    func concerns(_ origin: Origin) -> Bool {
        origin.scheme == .http && self.store.contains(origin.host, now: self.now)
    }

    /// Whether a request is one for such a host; one through a socket is not, because it leads to another server than
    /// the one whose name its requests bear.
    func concerns(_ request: Request, to destination: Destination) -> Bool {
        request.options.unixSocketPath == nil && self.concerns(destination.origin)
    }

    /// "The UA MUST replace the URI scheme with "https" and if the URI contains an explicit port component of "80", then
    /// the UA MUST convert the port component to be "443"" (RFC 6797 §8.3); another port is kept.
    ///
    /// - Parameter url: a URL of `http` or `ws`.
    /// - Returns: that of `https` or `wss`.
    /// - Throws: `RequestFailure.malformedURL` if there is none; to send it in clear is no way out.
    static func secured(_ url: URL) throws(RequestFailure) -> URL {
        guard var parts = URLComponents(url: url, resolvingAgainstBaseURL: true) else { throw .malformedURL }
        parts.scheme = parts.scheme?.lowercased() == "ws" ? "wss" : "https"
        if parts.port == 80 { parts.port = 443 }
        guard let url = parts.url else { throw .malformedURL }
        return url
    }
}
