// SPDX-License-Identifier: Apache-2.0
public import TernRequests

/// Keeps the hosts that are asked by https alone; is asked by every call, and must answer at once.
public protocol StrictTransportStore: Sendable {
    /// Whether a host is to be asked by https alone.
    func contains(_ host: String, now: HTTPDate) -> Bool
    /// Learns what a host said of itself over a connection that can be trusted.
    func note(_ policy: StrictTransportPolicy, of host: String, now: HTTPDate)
}
