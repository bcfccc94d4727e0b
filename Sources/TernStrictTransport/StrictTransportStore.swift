// SPDX-License-Identifier: Apache-2.0
public import TernRequests

/// Stores the hosts that are reached only over HTTPS.
///
/// Every call asks the store, so it must answer at once.
public protocol StrictTransportStore: Sendable {
    /// Returns whether a host must be reached only over HTTPS.
    func contains(_ host: String, now: HTTPDate) -> Bool
    /// Stores the policy of a host, which came over a trusted connection.
    func note(_ policy: StrictTransportPolicy, of host: String, now: HTTPDate)
}
