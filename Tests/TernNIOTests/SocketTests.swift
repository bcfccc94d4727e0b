// SPDX-License-Identifier: Apache-2.0
import Foundation
import NIOCore
import NIOPosix
import Synchronization
import TernAuthentication
import TernConnections
import TernErrors
import TestSupport
import Testing

@testable import TernNIO

@Suite("Connections over sockets, with each way to serve them", .hangLimit)
struct SocketTests {
    typealias Threading = NIOConnector.Threading

    static let ways: [Threading] = [.callersThatPoll, .callers, .eventLoops]

    func pair(_ threading: Threading) async throws -> (any Connection, RawPeer) {
        try await self.pair(NIOConnector(threading: threading))
    }

    private func pair(_ connector: NIOConnector) async throws -> (any Connection, RawPeer) {
        let listener = try RawListener()
        let connection = try await connector.connect(to: .host("127.0.0.1", port: listener.port), deadline: nil)
        return (connection, try listener.accepted())
    }

    /// Sends a hundred questions, and reads their answers, so that readers poll and no thread watches the socket.
    private func exchangeQuickly(_ connection: any Connection, _ peer: RawPeer) async throws {
        async let echo: Void = onThread { for _ in 0..<100 { _ = peer.write(peer.read(10)) } }
        for _ in 0..<100 {
            try await connection.write(ByteBuffer(repeating: 1, count: 10), deadline: nil)
            _ = try await connection.read(atLeast: 10, deadline: nil)
        }
        await echo
    }

    static func bytes(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) } }

    @Test(arguments: ways) func `questions and answers alternate many times`(_ threading: Threading) async throws {
        let (connection, peer) = try await self.pair(threading)
        async let end: Void = onThread { peer.echo(100) }
        for number in 0..<500 {
            let question = ByteBuffer(repeating: UInt8(number & 0xFF), count: 100)
            try await connection.write(question, deadline: nil)
            var answer = ByteBuffer()
            while answer.readableBytes < 100 {
                let bytes = try #require(try await connection.read(atLeast: 100 - answer.readableBytes, deadline: nil))
                answer.writeImmutableBuffer(bytes)
            }
            #expect(answer == question)
            #expect(connection.isReadyForExchange)
        }
        connection.close()
        await end
    }

    @Test(arguments: ways) func `all bytes arrive in order in both directions at once`(
        _ threading: Threading
    ) async throws {
        let (connection, peer) = try await self.pair(threading)
        let expected = Self.bytes(3 << 20)
        async let sent = onThread { peer.write(expected) }
        async let received = onThread { peer.read(expected.count) }
        async let written: Void = {
            for start in stride(from: 0, to: expected.count, by: 10_000) {
                let piece = expected[start..<min(start + 10_000, expected.count)]
                try await connection.write(ByteBuffer(bytes: piece), deadline: nil)
            }
        }()
        var read: [UInt8] = []
        while read.count < expected.count {
            let bytes = try #require(
                try await connection.read(atLeast: min(50_000, expected.count - read.count), deadline: nil)
            )
            read += Array(bytes.readableBytesView)
        }
        try await written
        #expect(await sent)
        #expect(await received == expected)
        #expect(read == expected)
        connection.close()
    }

    @Test(arguments: ways) func `a slow reader stops the peer`(_ threading: Threading) async throws {
        let (connection, peer) = try await self.pair(threading)
        let byteCount = 64 << 20  // more than the system's buffers can contain
        _ = peer.write([7])
        _ = try await connection.read(atLeast: 1, deadline: nil)
        // The peer sends until it has made no progress for a while, however fast the client's thread is.
        var (sentCount, pauseCount) = (0, 0)
        while sentCount < byteCount, pauseCount < 200 {
            let count = peer.writeAvailable(upTo: byteCount)
            sentCount += count
            pauseCount = count == 0 ? pauseCount + 1 : 0
            if count == 0 { try await Task.sleep(for: .milliseconds(1)) }
        }
        #expect(sentCount < byteCount)
        var count = 0
        while count < sentCount {
            count += try #require(try await connection.read(atLeast: 1, deadline: nil)).readableBytes
        }
        #expect(count == sentCount)
        try await eventually("the client has read, so there is room again") { peer.writeAvailable(upTo: 1) > 0 }
        connection.close()
    }

    @Test(arguments: ways) func `a peer that does not read makes writers wait`(_ threading: Threading) async throws {
        let (connection, peer) = try await self.pair(threading)
        let byteCount = 64 << 20
        #expect(try !connection.enqueue(ByteBuffer(repeating: 7, count: byteCount)))
        #expect(!connection.isReadyForExchange)  // the system has not taken all bytes
        let waiting = Task { try await connection.waitForRoom(deadline: nil) }
        async let received = onThread { peer.read(byteCount).count }
        try await waiting.value
        #expect(await received == byteCount)
        try await eventually("all was sent") { connection.isReadyForExchange }
        connection.close()
    }

    @Test(arguments: ways) func `the end of the peer's side is reported, after all bytes`(
        _ threading: Threading
    ) async throws {
        let (connection, peer) = try await self.pair(threading)
        let hasEnded = Flag()
        connection.onEnd { hasEnded.raise() }
        peer.write([1, 2, 3])
        peer.end()
        try await eventually("the end was noticed without a reader") { hasEnded.isRaised }
        #expect(!connection.isReadyForExchange)
        #expect(try await connection.read(atLeast: 1, deadline: nil) == ByteBuffer(bytes: [1, 2, 3]))
        #expect(try await connection.read(atLeast: 1, deadline: nil) == nil)
        try await connection.write(ByteBuffer(bytes: [4]), deadline: nil)
        #expect(await onThread { peer.read(1) } == [4])
        connection.close()
    }

    @Test(arguments: ways) func `the end is noticed between exchanges, too`(_ threading: Threading) async throws {
        let (connection, peer) = try await self.pair(threading)
        let hasEnded = Flag()
        connection.onEnd { hasEnded.raise() }
        try await self.exchangeQuickly(connection, peer)
        #expect(connection.isReadyForExchange)
        peer.end()
        try await eventually("the end was noticed") { hasEnded.isRaised }
        #expect(!connection.isReadyForExchange)
    }

    @Test(arguments: ways) func `bytes that nobody asked for make a connection unusable`(
        _ threading: Threading
    ) async throws {
        let (connection, peer) = try await self.pair(threading)
        try await self.exchangeQuickly(connection, peer)
        #expect(connection.isReadyForExchange)
        peer.write([7])
        try await eventually("the byte was noticed") { !connection.isReadyForExchange }
        connection.close()
    }

    @Test(arguments: ways) func `a handler gets bytes that no reader waits for, after readers that polled`(
        _ threading: Threading
    ) async throws {
        let (connection, peer) = try await self.pair(threading)
        try await self.exchangeQuickly(connection, peer)
        (connection as? NIOConnection)?.network?.watch()
        peer.write([7])
        try await eventually("the byte arrived") { connection.readAvailable() == ByteBuffer(bytes: [7]) }
        connection.close()
    }

    @Test(arguments: ways) func `a reset fails reads and writes`(_ threading: Threading) async throws {
        let (connection, peer) = try await self.pair(threading)
        let hasEnded = Flag()
        connection.onEnd { hasEnded.raise() }
        let reading = Task { try await connection.read(atLeast: 1, deadline: nil) }
        peer.resetsAtEnd()
        _ = consume peer
        await #expect(throws: ConnectionError.reset) { try await reading.value }
        try await eventually("the end was noticed") { hasEnded.isRaised }
        #expect(throws: ConnectionError.self) { try connection.enqueue(ByteBuffer(bytes: [1])) }
        await #expect(throws: ConnectionError.self) { try await connection.read(atLeast: 1, deadline: nil) }
    }

    @Test(arguments: ways) func `closing sends what was queued, and releases the descriptor`(
        _ threading: Threading
    ) async throws {
        let (connection, peer) = try await self.pair(threading)
        for number in 0..<50 { _ = try connection.enqueue(ByteBuffer(repeating: UInt8(number), count: 2000)) }
        await connection.closeAndWait()
        #expect(await onThread { peer.read(1 << 20).count } == 100_000)
        #expect(throws: ConnectionError.closed) { try connection.enqueue(ByteBuffer(bytes: [1])) }
    }

    @Test(arguments: ways) func `cancellation and the deadline end a read`(_ threading: Threading) async throws {
        let (connection, peer) = try await self.pair(threading)
        let reading = Task { try await connection.read(atLeast: 1, deadline: nil) }
        for _ in 0..<100 { await Task.yield() }
        reading.cancel()
        await #expect(throws: ConnectionError.cancelled) { try await reading.value }
        let deadline = CallDeadline(.idle, limit: .milliseconds(5), from: SystemClock().now)
        await #expect(throws: ConnectionError.timedOut(deadline)) {
            try await connection.read(atLeast: 1, deadline: deadline)
        }
        peer.write([9])
        #expect(try await connection.read(atLeast: 1, deadline: nil) == ByteBuffer(bytes: [9]))
        connection.close()
    }

    @Test(arguments: ways) func `a file is sent between bytes`(_ threading: Threading) async throws {
        let (connection, peer) = try await self.pair(threading)
        let folder = try TemporaryFolder()
        let url = folder.url.appending(path: "file")
        let content = Self.bytes(1 << 20)
        try Data(content).write(to: url)
        let file = try ReadableFile(path: url.path)
        async let received = onThread { peer.read(content.count + 2 - 10) }
        try await connection.write(ByteBuffer(bytes: [1]), deadline: nil)
        try await connection.write(file, range: 10..<Int64(content.count), deadline: nil)
        try await connection.write(ByteBuffer(bytes: [2]), deadline: nil)
        #expect(await received == [1] + content[10...] + [2])
        connection.close()
    }

    @Test(arguments: ways) func `a connection knows that a slow peer has accepted some bytes`(
        _ threading: Threading
    ) async throws {
        let (connection, peer) = try await self.pair(threading)
        let measured = try #require(connection as? any MeasuredConnection)
        let start = SystemClock().now
        // The sockets hold far less than half of the bytes.
        let byteCount = 64 << 20
        #expect(try !connection.enqueue(ByteBuffer(repeating: 7, count: byteCount)))
        let network = (connection as? NIOConnection)?.network
        try await eventually("the socket is full") { !(network?.hasSentAll ?? false) }
        #expect(await onThread { peer.read(byteCount / 2).count } == byteCount / 2)
        try await eventually("the peer was seen to accept bytes") { measured.lastSent.map { $0 >= start } ?? false }
        connection.close()
    }

    /// A machine with one processor has one thread for sockets, and a large machine has many.
    @Test(arguments: ways, [1, 2, 8])
    func `many connections at once lose nothing`(_ threading: Threading, threadCount: Int) async throws {
        let loops = MultiThreadedEventLoopGroup(numberOfThreads: threadCount)
        let readiness = ReadinessThreads(count: threadCount)
        let connector = NIOConnector(threading: threading, readiness: readiness, loops: loops)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<16 {
                group.addTask {
                    let (connection, peer) = try await self.pair(connector)
                    async let end: Void = onThread { peer.echo(10) }
                    for _ in 0..<100 {
                        try await connection.write(ByteBuffer(repeating: UInt8(number), count: 10), deadline: nil)
                        var count = 0
                        while count < 10 {
                            let bytes = try #require(try await connection.read(atLeast: 10 - count, deadline: nil))
                            count += bytes.readableBytes
                        }
                    }
                    connection.close()
                    await end
                }
            }
            try await group.waitForAll()
        }
        try await loops.shutdownGracefully()
    }

    @Test(arguments: ways) func `an action gets bytes while another task uses the connection`(
        _ threading: Threading
    ) async throws {
        let (connection, peer) = try await self.pair(threading)
        let received = Mutex(0)
        @Sendable func read() {
            while let result = connection.read(orLater: {
                if case .success(let bytes?) = $0 { received.withLock { $0 += bytes.readableBytes }; read() }
            }) {
                guard case .success(let bytes?) = result else { return }
                received.withLock { $0 += bytes.readableBytes }
            }
        }
        read()
        async let echo: Void = onThread { peer.echo(10) }
        for number in 1...200 {
            try await connection.write(ByteBuffer(repeating: 1, count: 10), deadline: nil)
            if number % 3 == 0, let source = (connection as? any SourcedConnection)?.source {
                source.ended(source.readerWaits(forAtLeast: 10) { received.withLock { $0 } == number * 10 })
            }
            try await eventually("the answer arrived") { received.withLock { $0 } == number * 10 }
        }
        connection.close()
        await echo
    }

    @Test(arguments: ways, [[], [0x32, 0x32, 0x30]] as [[UInt8]])
    func `a peer that has ended before TLS begins has closed, unless it has sent something else`(
        _ threading: Threading,
        greeting: [UInt8]
    ) async throws {
        let (connection, peer) = try await self.pair(threading)
        let hasEnded = Flag()
        connection.onEnd { hasEnded.raise() }
        peer.write(greeting)
        peer.end()
        try await eventually("the end was noticed without a reader") { hasEnded.isRaised }
        await #expect(throws: ConnectionError.tls(greeting.isEmpty ? .closed : .notTLS)) {
            try await connection.startTLS(
                TLSConfiguration(trust: .unverified),
                to: "localhost",
                port: 443,
                asking: nil,
                deadline: nil
            )
        }
    }

    @Test(arguments: ways) func `a refused connection is reported as refused`(_ threading: Threading) async throws {
        let port = try LoopbackPort()
        let milestones = Mutex<[ConnectionMilestone]>([])
        await #expect(throws: ConnectionError.notConnected(.refused)) {
            _ = try await NIOConnector(threading: threading).connect(
                to: .host("127.0.0.1", port: port.number),
                deadline: nil
            ) { milestone in milestones.withLock { $0.append(milestone) } }
        }
        let address = "127.0.0.1:\(port.number)"
        #expect(milestones.withLock { $0 } == [.attempting(address: address), .attempted(address: address, .refused)])
    }
}
