// SPDX-License-Identifier: Apache-2.0

/// A reverse proxy in memory: its clients use HTTP/2, and its server HTTP/1.1.
///
/// Each stream becomes a request on a connection in memory, its lane. If the server ends a lane in the middle of a response, the
/// gateway ends the client's connection in the same way, or resets only the stream if others are open.
final class HTTP2Gateway: Sendable {
    private let lanes: GatewayLanes
    private let streamCount: Observed<Int>

    init(_ lanes: GatewayLanes, countingIn streamCount: Observed<Int>) {
        (self.lanes, self.streamCount) = (lanes, streamCount)
    }

    /// Serves a connection from which nothing was read; a client without the preface of HTTP/2 reaches the server directly.
    func serve(_ connection: ServerConnection, faults: [HTTP2Fault]) async throws {
        guard try await connection.takePrefix(HTTP2Peer.preface) else {
            return try await self.lanes.serveDirectly(connection)
        }
        let session = GatewaySession(connection, self.lanes, HTTP2FaultSchedule(faults), countingIn: self.streamCount)
        try await session.run()
    }
}
