// SPDX-License-Identifier: Apache-2.0
import TernTransport

extension Client {
    /// The order of concerns, from the call to the network: this list is the architecture.
    static func stages(_ configuration: Configuration, _ resources: StageResources) -> [any Interceptor] {
        configuration.callInterceptors
            + [
                Validation(rules: configuration.validation ?? [], keptByteCount: configuration.keptBodyByteCount),
                Retry(policy: configuration.retry, budgets: resources.retryBudgets),
                Redirects(policy: configuration.redirects, strictTransport: configuration.strictTransport),
                Cookies(store: configuration.cookieStore),
                Caching(
                    store: configuration.cache,
                    policy: configuration.cachePolicy,
                    isDecoding: configuration.decodesContent,
                    session: resources.caching
                ),
                Authentication(finder: resources.finder, router: resources.router, tokens: configuration.bearer),
                CookieReception(isIdle: configuration.cookieStore == nil),
                StrictTransportReception(store: configuration.strictTransport),
                ContentDecoding(limits: configuration.inflationLimits, isDefault: configuration.decodesContent),
            ]
            + configuration.attemptInterceptors
            + (configuration.signer.map { [Signing(signer: $0)] } ?? [])
            + [FieldNoting(isIdle: configuration.cache == nil), Measuring()]
    }
}
