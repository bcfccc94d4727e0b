// SPDX-License-Identifier: Apache-2.0
import NIOCore
import TernConnections
import TernTesting
import TestSupport
import Testing

@Suite("ServerWebSocket", .hangLimit)
struct ServerWebSocketTests {
    /// Returns the error of a server that reads a frame from these bytes; `nil` if it can.
    private func failure(of bytes: [UInt8]) async throws -> ScriptedServerError? {
        let result = Suspension<ScriptedServerError?>()
        let connector = MemoryConnector(connection: { connection in
            do {
                _ = try await ServerWebSocket(connection).receive()
                result.resume(with: nil)
            } catch {
                result.resume(with: error as? ScriptedServerError)
            }
        })
        let connection = try await connector.connect(to: .host("test", port: 80), deadline: nil)
        try await connection.write(ByteBuffer(bytes: bytes), deadline: nil)
        defer { connection.close() }
        return await result.wait(onCancel: nil)
    }

    @Test func `reads lengths of 7, 16 and 64 bits`() async throws {
        let key: [UInt8] = [1, 2, 3, 4]
        #expect(try await self.failure(of: [0x82, 0x80 | 1] + key + [0]) == nil)
        #expect(try await self.failure(of: [0x82, 0x80 | 126, 0, 1] + key + [0]) == nil)
        #expect(try await self.failure(of: [0x82, 0x80 | 127, 0, 0, 0, 0, 0, 0, 0, 1] + key + [0]) == nil)
    }

    @Test(arguments: [[UInt8(0x80), 0, 0, 0, 0, 0, 0, 0], [UInt8](repeating: 0xFF, count: 8)])
    func `refuses a length with the most significant bit`(length: [UInt8]) async throws {
        let error = try await self.failure(of: [0x82, 0x80 | 127] + length + [1, 2, 3, 4])
        #expect(error == .malformedRequest("a WebSocket frame"))
    }
}
