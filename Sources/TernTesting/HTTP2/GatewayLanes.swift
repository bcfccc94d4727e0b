// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TernConnections

/// An HTTP/1.1 connection to the server behind a gateway; it carries one request at a time.
struct GatewayLane: Sendable {
    /// The gateway's end of the connection.
    let connection: any Connection
    /// The numbers of the streams whose requests the lane carries.
    let streams: StreamNumbers
}

/// Opens lanes to the server behind a gateway.
final class GatewayLanes: Sendable {
    private let capacity: Int
    private let waitLimit: Duration
    private let clock: any TransportClock
    private let tasks: ServerTasks
    private let serve: @Sendable (ServerConnection) async throws -> Void
    private let lastNumber = Atomic(0)

    /// Creates an object that opens lanes.
    ///
    /// - Parameters:
    ///   - capacity: The number of bytes that each end of a lane buffers.
    ///   - waitLimit: The time that the server waits for the rest of a request.
    ///   - clock: The clock that measures the pauses of the server.
    ///   - tasks: The tasks that serve the lanes.
    ///   - serve: Serves one lane, or one connection of a client that uses HTTP/1.1.
    init(
        capacity: Int,
        waitLimit: Duration,
        clock: any TransportClock,
        tasks: ServerTasks,
        serve: @escaping @Sendable (ServerConnection) async throws -> Void
    ) {
        (self.capacity, self.waitLimit, self.clock) = (capacity, waitLimit, clock)
        (self.tasks, self.serve) = (tasks, serve)
    }

    /// Opens a lane for streams of a client's connection.
    ///
    /// - Parameter number: The number of the client's connection.
    /// - Returns: The gateway's end of the lane.
    func open(for number: Int) -> GatewayLane {
        let streams = StreamNumbers()
        let (client, server) = MemoryConnection.pair(
            capacity: self.capacity,
            clock: SystemClock(),
            toClient: [],
            toServer: [],
            onClose: {}
        )
        let connection = ServerConnection(
            server,
            number: number,
            scriptNumber: self.nextNumber(),
            streams: streams,
            waitLimit: self.waitLimit,
            clock: self.clock
        )
        self.tasks.start(connection, by: self.serve)
        return GatewayLane(connection: client, streams: streams)
    }

    /// Serves the connection of a client that uses HTTP/1.1.
    func serveDirectly(_ connection: ServerConnection) async throws {
        connection.scriptNumber = self.nextNumber()
        try await self.serve(connection)
    }

    private func nextNumber() -> Int { self.lastNumber.wrappingAdd(1, ordering: .relaxed).newValue }
}
