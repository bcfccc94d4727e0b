// SPDX-License-Identifier: Apache-2.0
import TernTransport

extension Client {
    /// The order of concerns, from the call to the network: this list is the architecture.
    static func stages(_ configuration: Configuration, _ session: Session) -> [any Interceptor] {
        configuration.callInterceptors
            + [
                Validation(rules: configuration.validation ?? [], keptByteCount: configuration.keptBodyByteCount),
                // Retry
                Redirects(policy: configuration.redirects),
                // StrictTransport
                // Cookies
                // Caching
                Authentication(finder: session.finder, router: session.router, tokens: configuration.bearer),
                ContentDecoding(limits: configuration.inflationLimits, isDefault: configuration.decodesContent),
            ]
            + configuration.attemptInterceptors
            + (configuration.signer.map { [Signing(signer: $0)] } ?? [])
    }
}
