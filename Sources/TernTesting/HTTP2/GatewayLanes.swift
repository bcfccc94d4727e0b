// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TernConnections

/// An HTTP/1.1 connection to the server behind a gateway; it carries one request at a time.
struct GatewayLane: Sendable {
    let connection: any Connection
    let streams: StreamNumbers
}

final class GatewayLanes: Sendable {
    private let capacity: Int
    private let waitLimit: Duration
    private let clock: any TransportClock
    private let tasks: ServerTasks
    private let serve: @Sendable (ServerConnection) async throws -> Void
    private let lastNumber = Atomic(0)

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

    /// Opens a lane for streams of the client's connection with this number.
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

    func serveDirectly(_ connection: ServerConnection) async throws {
        connection.scriptNumber = self.nextNumber()
        try await self.serve(connection)
    }

    private func nextNumber() -> Int { self.lastNumber.wrappingAdd(1, ordering: .relaxed).newValue }
}
