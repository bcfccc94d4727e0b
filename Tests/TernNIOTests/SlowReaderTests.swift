// SPDX-License-Identifier: Apache-2.0
import NIOCore
import Synchronization
import TernConnections
import TestSupport
import Testing

@testable import TernNIO

@Suite("Sockets whose reader is slower than the peer", .hangLimit)
struct SlowReaderTests {
    typealias Threading = NIOConnector.Threading

    private static let byteCount = 6 << 20

    private func pair(_ threading: Threading) async throws -> (any Connection, RawPeer) {
        let listener = try RawListener()
        let connector = NIOConnector(threading: threading)
        let connection = try await connector.connect(to: .host("127.0.0.1", port: listener.port), deadline: nil)
        return (connection, try listener.accepted())
    }

    private static func byte(at offset: Int) -> UInt8 { UInt8(truncatingIfNeeded: offset &* 7 &+ offset >> 12) }

    private static let content = (0..<byteCount).map(byte)

    /// Reads until `byteCount` bytes have arrived, with a pause now and then, and checks each of them.
    private static func read(
        _ byteCount: Int,
        from connection: any Connection,
        _ random: inout SeededGenerator,
        pauses: Bool
    ) async throws {
        var count = 0
        while count < byteCount {
            let minimum = min([1, 1, 20_000, 200_000].randomElement(using: &random) ?? 1, byteCount - count)
            let bytes = try #require(try await connection.read(atLeast: minimum, deadline: nil))
            let isExpected = bytes == ByteBuffer(bytes: Self.content[count..<count + bytes.readableBytes])
            try #require(isExpected, "the bytes after \(count)")
            count += bytes.readableBytes
            if pauses { for _ in 0..<Int.random(in: 0..<20, using: &random) { await Task.yield() } }
        }
    }

    @Test(arguments: SocketTests.ways, [false, true]) func `it gets all bytes, and the end`(
        _ threading: Threading,
        pauses: Bool
    ) async throws {
        try await withThrowingTaskGroup { group in
            for seed in 0..<6 {
                let (connection, peer) = try await self.pair(threading)
                group.addTask {
                    async let sent = onThread {
                        let isSent = peer.write(Self.content)
                        peer.end()
                        return isSent
                    }
                    var random = SeededGenerator(seed: UInt64(seed))
                    try await Self.read(Self.byteCount, from: connection, &random, pauses: pauses)
                    #expect(try await connection.read(atLeast: 1, deadline: nil) == nil)
                    #expect(await sent)
                    connection.close()
                }
            }
            try await group.waitForAll()
        }
    }

    @Test(arguments: SocketTests.ways) func `the end is noticed although no reader waits`(
        _ threading: Threading
    ) async throws {
        for round in 0..<10 {
            let (connection, peer) = try await self.pair(threading)
            let hasEnded = Flag()
            connection.onEnd { hasEnded.raise() }
            async let sent = onThread { peer.write(Self.content) }
            var random = SeededGenerator(seed: UInt64(round))
            try await Self.read(Self.byteCount, from: connection, &random, pauses: true)
            #expect(await sent)
            #expect(connection.isReadyForExchange)
            peer.end()
            try await eventually("the end was noticed") { hasEnded.isRaised }
            #expect(!connection.isReadyForExchange)
            connection.close()
        }
    }

    @Test(arguments: SocketTests.ways) func `bytes that nobody asked for are noticed`(
        _ threading: Threading
    ) async throws {
        let (connection, peer) = try await self.pair(threading)
        async let sent = onThread { peer.write(Self.content) }
        var random = SeededGenerator(seed: 1)
        try await Self.read(Self.byteCount, from: connection, &random, pauses: true)
        #expect(await sent)
        #expect(connection.isReadyForExchange)
        peer.write([1])
        try await eventually("the byte was noticed") { !connection.isReadyForExchange }
        connection.close()
    }
}
