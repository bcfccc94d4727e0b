// SPDX-License-Identifier: Apache-2.0
import TernErrors
import TernRequests
import TernStrictTransport

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

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
    /// - Throws: `InvalidRequest.malformedURL` if there is none; to send it in clear is no way out.
    static func secured(_ url: URL) throws(InvalidRequest) -> URL {
        guard var parts = URLComponents(url: url, resolvingAgainstBaseURL: true) else { throw .malformedURL }
        parts.scheme = parts.scheme?.lowercased() == "ws" ? "wss" : "https"
        if parts.port == 80 { parts.port = 443 }
        guard let url = parts.url else { throw .malformedURL }
        return url
    }
}
