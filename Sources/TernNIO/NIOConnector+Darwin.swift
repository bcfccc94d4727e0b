// SPDX-License-Identifier: Apache-2.0
// For all platforms other than Linux. Compiled and run over stand-ins on Linux (scripts/test --apple-shape); never
// on an Apple platform.

#if !os(Linux)
import NIOCore
import TernConnections

extension NIOConnector {
    static func network(of channel: any Channel) -> (any DirectNetwork)? { nil }

    func connectDirectly(
        to place: Place,
        deadline: CallDeadline?,
        reporting report: (@Sendable (ConnectionMilestone) -> Void)?
    ) async throws(ConnectionError) -> NIOConnection? { nil }
}
#endif
