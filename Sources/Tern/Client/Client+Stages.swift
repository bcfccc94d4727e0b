// SPDX-License-Identifier: Apache-2.0
import TernAuthentication
import TernTransport

extension Client {
    /// Returns the stages that a call passes, in order from the caller to the network; the response passes them in reverse.
    static func stages(_ configuration: Configuration, _ resources: StageResources) -> [PlacedInterceptor] {
        let outer: [any Stage] = [
            Validation(
                rules: configuration.validation ?? [],
                keptByteCount: configuration.maximumErrorBodyByteCount
            ),
            Retry(policy: configuration.retry, budgets: resources.retryBudgets),
            Redirects(policy: configuration.redirects, strictTransport: configuration.strictTransport),
            Cookies(store: configuration.cookieStore),
            Caching(
                store: configuration.cache,
                policy: configuration.cachePolicy,
                isDecoding: configuration.decodesContent,
                codings: ContentCodings(codecs: configuration.contentCodecs),
                session: resources.caching
            ),
            Authentication(finder: resources.finder, router: resources.router, tokens: configuration.bearer),
            Cookies.Reception(isIdle: configuration.cookieStore == nil),
            StrictTransportReception(store: configuration.strictTransport),
            ContentDecoding(
                limits: configuration.inflationLimits,
                known: ContentCodings(codecs: configuration.contentCodecs),
                isDefault: configuration.decodesContent
            ),
        ]
        let signing: [any Stage] = configuration.signer.map { [Signing(signer: $0)] } ?? []
        let inner: [any Stage] =
            [Digests(checking: configuration.digestChecking)] + signing
            + [SentFieldRecorder(isIdle: configuration.cache == nil), Measuring()]
        return configuration.callInterceptors.map(PlacedInterceptor.init(ofApp:)) + outer.map(PlacedInterceptor.init)
            + configuration.attemptInterceptors.map(PlacedInterceptor.init(ofApp:)) + inner.map(PlacedInterceptor.init)
    }
}

struct StageResources: Sendable {
    let router: Router?
    let finder: CredentialFinder
    let retryBudgets = RetryBudgets()
    let caching = CacheSession()

    init(_ configuration: Client.Configuration, router: Router?) {
        self.router = router
        self.finder = CredentialFinder(
            known: AcceptedCredentials(),
            store: configuration.credentialStore,
            awaitsProxyChallenges: configuration.awaitsProxyChallenges
        )
    }
}
