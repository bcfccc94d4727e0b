// SPDX-License-Identifier: Apache-2.0
// Compiled and run on Linux with glibc; never compiled with musl.

#if os(Linux)
import NIOCore
import Synchronization
import TernConnections
import TestSupport
import Testing

@testable import TernNIO

/// Elsewhere, event loops serve all connections.
extension SocketTests {
    @Test(arguments: ways.filter { $0 != .eventLoops })
    func `the caller has sent long bytes when it has queued them, also without an answer`(
        _ threading: Threading
    ) async throws {
        let (connection, peer) = try await self.pair(threading)
        for byteCount in [8 << 10, 16 << 10, 64 << 10] {
            let bytes = Self.bytes(byteCount)
            for _ in 0..<3 {
                #expect(try connection.enqueue(ByteBuffer(bytes: bytes)))
                #expect(connection.isReadyForExchange)  // nothing is queued
                #expect(peer.read(byteCount) == bytes)
            }
        }
    }

    @Test(arguments: ways.filter { $0 != .eventLoops })
    func `a response before a reset reaches the reader, although the rest of the request cannot be sent`(
        _ threading: Threading
    ) async throws {
        for number in 0..<20 {
            let (connection, peer) = try await self.pair(threading)
            let hasEnded = Flag()
            connection.onEnd { hasEnded.raise() }
            _ = try connection.enqueue(ByteBuffer(repeating: 7, count: number % 2 == 0 ? 64 << 20 : 10_000))
            #expect(await onThread { peer.read(1000).count } == 1000)
            peer.write([1, 2, 3])
            peer.resetsAtEnd()
            _ = consume peer
            try? await connection.write(ByteBuffer(bytes: [8]), deadline: nil)
            try await eventually("the end was noticed") { hasEnded.isRaised }
            #expect(try await connection.read(atLeast: 1, deadline: nil) == ByteBuffer(bytes: [1, 2, 3]))
            await #expect(throws: ConnectionError.reset) { try await connection.read(atLeast: 1, deadline: nil) }
        }
    }

    @Test func `a response that arrives although a write has failed leaves the connection unusable`() async throws {
        let listener = try RawListener()
        let connection = try await NIOConnector(threading: .callers)
            .connect(to: .host("127.0.0.1", port: listener.port), deadline: nil)
        var peer: RawPeer? = try listener.accepted()
        let channel = try #require((connection as? NIOConnection)?.channel as? DirectChannel)
        let wasReady = Mutex<Bool?>(nil)
        let early = connection.read(orLater: { _ in
            let isReady = connection.isReadyForExchange
            wasReady.withLock { $0 = $0 ?? isReady }
        })
        #expect(early == nil)
        // While this thread has the loop, the write waits for it, and comes before everything that the socket reports.
        channel.loop.executeIfFree {
            channel.perform(channel.state.pollBegan() ?? [])  // so that the thread does not watch
            _ = try? connection.enqueue(ByteBuffer(bytes: [8]))
            peer?.write([1, 2, 3])
            peer?.resetsAtEnd()
            peer = nil
        }
        try await eventually("the response was received") { wasReady.withLock { $0 } != nil }
        #expect(wasReady.withLock { $0 } == false)
        #expect(!connection.isReadyForExchange)
    }

    @Test(arguments: [1, 3]) func `connections are divided among the threads in turn`(threadCount: Int) throws {
        let threads = ReadinessThreads(count: threadCount)
        let given = try (0..<2 * threadCount).map { _ in ObjectIdentifier(try #require(threads.next())) }
        #expect(Set(given).count == threadCount)
        #expect(given[..<threadCount] == given[threadCount...])
    }
}
#endif
