// SPDX-License-Identifier: Apache-2.0
public import TernRequests

/// Which call a monitor is told about.
public struct MonitoredCall: Identifiable, Sendable {
    /// A number that no other call of this process has; that of ``TaskInfo/id``.
    public let id: UInt64
    /// The request as it was given to the client, without its body.
    public let request: Request

    /// Describes a call; clients do, and tests of monitors.
    public init(id: UInt64, request: Request) {
        self.id = id
        self.request = request
    }
}
