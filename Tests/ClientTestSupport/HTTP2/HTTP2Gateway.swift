// SPDX-License-Identifier: Apache-2.0
package import TernTesting

/// A reverse proxy in memory: its client uses HTTP/2, and its server HTTP/1.1.
///
/// With it, a test whose server reads and writes HTTP/1.1 also tests a client that uses HTTP/2. Each stream becomes a
/// request on a connection in memory. A connection that ends in the middle of a response ends the client's connection
/// in the same way, or only the stream if there are others.
package final class HTTP2Gateway: Sendable {
    private let connector: MemoryConnector
    /// The number of exchanges that go on.
    private let exchangeCount = Observed(0)

    /// Creates a gateway.
    ///
    /// - Parameters:
    ///   - capacity: The number of bytes that each end of a connection to the server buffers.
    ///   - server: Serves one connection with HTTP/1.1.
    package init(capacity: Int, server: @escaping MemoryConnector.Server) {
        self.connector = MemoryConnector(capacity: capacity, connection: server)
    }

    /// Serves one connection of a client with HTTP/2.
    package func serve(_ connection: ServerConnection) async throws {
        try await GatewaySession(connection, self.connector, self.exchangeCount).run()
    }

    /// Waits until no exchange goes on.
    package func waitForNoExchange() async { await self.exchangeCount.wait { $0 == 0 } }
}
