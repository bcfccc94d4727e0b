// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TernTransport

/// The credentials that a call has tried with proxies to open tunnels, between two redirects or retries.
///
/// ``Authentication`` creates it, so that a call that needs another tunnel, for example to answer a challenge of the server, goes
/// on with the credential that opened the first, and neither asks again nor sends again what the proxy has refused.
final class TunnelAttempts: Sendable {
    private let attempts = Mutex<[Challenger: ChallengeAttempts]>([:])

    func attempts(with proxy: Challenger) -> ChallengeAttempts {
        self.attempts.withLock { $0[proxy] ?? ChallengeAttempts() }
    }

    func keep(_ attempts: ChallengeAttempts, with proxy: Challenger) {
        self.attempts.withLock { $0[proxy] = attempts }
    }
}

extension HTTPCall {
    private enum TunnelAttemptsKey: StageContextKey { typealias Value = TunnelAttempts }

    /// `nil` unless the route of the call is a tunnel.
    var tunnelAttempts: TunnelAttempts? {
        get { self.stageContext[TunnelAttemptsKey.self] }
        set { self.stageContext[TunnelAttemptsKey.self] = newValue }
    }
}
