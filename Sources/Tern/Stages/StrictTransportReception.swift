// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernErrors
import TernStrictTransport
import TernTransport

/// Learns which hosts are to be asked by https alone (RFC 6797); ``Redirects`` asks them so.
///
/// It stands behind the cache: a response that was stored says nothing new, and the connection that it came by is not
/// known any more.
struct StrictTransportReception: Stage {
    /// What is known; `nil` if nothing is kept.
    let store: (any StrictTransportStore)?

    var isIdle: Bool { self.store == nil }

    func isNeeded(by call: Call) -> Bool { false }

    @inline(__always)  // into its witness: one frame less on the way of every call
    func respond(to call: Call, next: Next) async throws(ClientError) -> Reply {
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
    private static func learn(from response: Response, of call: Call, _ store: any StrictTransportStore) {
        guard call.destination.origin.scheme == .https, response.cacheStatus == .network,
            let tls = response.tls, tls.trust.evaluation == nil,
            let text = response.fields[values: .strictTransportSecurity].first,
            let policy = StrictTransportPolicy(text)
        else { return }
        store.note(policy, of: call.destination.origin.host, now: call.clock.date)
    }
}
