// SPDX-License-Identifier: Apache-2.0
public import TernRequests

/// The call to which a monitor's event belongs.
public struct MonitoredCall: Identifiable, Sendable {
    /// A number that identifies the call in this process, equal to ``TaskInfo/id``.
    public let id: UInt64
    /// The request with which the call began, without its body; the URL is complete, unless the call fails before it begins.
    public let request: Request

    package init(id: UInt64, request: Request) {
        self.id = id
        self.request = request
    }
}
