// SPDX-License-Identifier: Apache-2.0
public import TernRequests

/// Stores the hosts that a client reaches only over HTTPS; calls wait for its methods, so these must be quick.
public protocol StrictTransportStore: Sendable {
    /// Returns whether the client must reach a host only over HTTPS.
    func contains(_ host: String, now: HTTPDate) -> Bool
    /// Stores a host's policy, or removes it if its ``StrictTransportPolicy/maximumAge`` is 0; must ignore IP addresses (RFC 6797).
    func note(_ policy: StrictTransportPolicy, of host: String, now: HTTPDate)
}
