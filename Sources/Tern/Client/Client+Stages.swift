// SPDX-License-Identifier: Apache-2.0
import TernTransport

extension Client {
    /// The order of concerns, from the call to the network: this list is the architecture.
    ///
    /// Still to come, between the two places for interceptors: validation, retry, redirects, cookies, cache,
    /// authentication.
    static func stages(_ configuration: Configuration) -> [any Interceptor] {
        configuration.callInterceptors
            + [ContentDecoding(limits: configuration.inflationLimits, isDefault: configuration.decodesContent)]
            + configuration.attemptInterceptors
    }
}
