// SPDX-License-Identifier: Apache-2.0
import TernAuthentication
import TernTransport

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What the stages of one client share: which way calls go, the credentials in use, what is cached anew.
struct StageResources: Sendable {
    let router: Router
    let finder: CredentialFinder
    let retryBudgets = RetryBudgets()
    let caching = CacheSession()

    init(_ configuration: Client.Configuration) {
        // Read for every client, whatever its settings: a call may ask for the environment's proxy.
        let environment = ProcessInfo.processInfo.environment
        self.router = Router(configuration.proxy, environment: environment)
        self.finder = CredentialFinder(known: KnownSpaces(), store: configuration.credentialStore)
    }
}
