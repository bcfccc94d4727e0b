// SPDX-License-Identifier: Apache-2.0
import Tern

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What machines are told of the way to a response.
struct ResponseFacts: Encodable, Sendable {
    /// A redirect that was followed.
    struct Redirect: Encodable, Sendable {
        let url: String
        let status: Int
    }

    /// What was agreed on when TLS was established.
    struct TLS: Encodable, Sendable {
        let version: String?
        let cipherSuite: String?
        /// The SHA-256 of the server's key.
        let pin: String?
    }

    /// The redirects, oldest first; `nil` if there were none.
    let redirects: [Redirect]?
    /// Where they led; `nil` if there were none.
    let finalURL: String?
    /// `nil` without TLS.
    let tls: TLS?
    /// How the cache was used: `cached`, `stale` or `revalidated`; `nil` if it was not.
    let cache: String?
    /// How old what the cache had is, in seconds; `nil` if it was not used.
    let cacheAge: Int64?

    init(_ response: Response) {
        let redirects = response.redirects.map { redirect in
            Redirect(url: ShownURL.text(redirect.url.absoluteString), status: redirect.statusCode)
        }
        self.redirects = redirects.isEmpty ? nil : redirects
        self.finalURL = redirects.isEmpty ? nil : ShownURL.text(response.url.absoluteString)
        (self.cache, self.cacheAge) =
            switch response.cacheStatus {
            case .cached(let age): ("cached", age.components.seconds)
            case .stale(let age): ("stale", age.components.seconds)
            case .revalidated(let age): ("revalidated", age.components.seconds)
            default: (nil, nil)
            }
        self.tls = response.tls.map { facts in
            TLS(
                version: facts.version?.description,
                cipherSuite: facts.cipherSuite?.description,
                pin: facts.trust.leafPin?.description
            )
        }
    }
}
