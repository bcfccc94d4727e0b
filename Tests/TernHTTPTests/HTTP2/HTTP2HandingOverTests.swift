// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import NIOCore
import Synchronization
import TernConnections
import TernTesting
import TestSupport
import Testing

@_spi(CrossModuleInlining) @testable import TernHTTP
@_spi(CrossModuleInlining) @testable import TernHTTP2

/// Tests what a session does while one thread hands its output to the connection.
@Suite("HTTP2Session, handing over", .hangLimit)
struct HTTP2HandingOverTests {
    private static func withSession(
        _ body: (HTTP2Session, InterruptedConnection) async throws -> Void
    ) async throws {
        let connector = MemoryConnector { connection in await connection.waitForEnd() }
        let base = try await connector.connect(to: .host("test", port: 80), deadline: nil)
        let connection = InterruptedConnection(base)
        let settings = ExchangeSettings(HTTPTransportConfiguration())
        try await body(HTTP2Session(connection, settings, clock: ManualClock()), connection)
        connection.close()
    }

    private static let head = HTTP2RequestHead(method: .get, scheme: "http", authority: "test", path: "/", fields: [:])

    private static func open(_ stream: HTTP2ExchangeStream) {
        _ = try? stream.session.open(stream, self.head, with: nil, endsStream: true)
    }

    private static func openStreams(of session: HTTP2Session) -> [UInt32] {
        session.locked.withLock { locked in locked.streams.keys }
    }

    private static func id(_ stream: HTTP2ExchangeStream) -> UInt32? { stream.state.withLock { $0.id?.rawValue } }

    /// Lets the client send 1 MiB on each stream, and as much on all streams.
    private static func openWindows(of session: HTTP2Session) {
        let settings: [UInt8] = [0, 0, 6, 4, 0, 0, 0, 0, 0, 0, 4, 0, 0x10, 0, 0]
        let update: [UInt8] = [0, 0, 4, 8, 0, 0, 0, 0, 0, 0, 0x10, 0, 0]
        let frames = ByteBuffer(bytes: settings + update)
        session.locked.withLock { locked in
            var effects: [HTTP2Effect] = []
            locked.machine.receive(frames.readableBytesSpan, at: .zero, effects: &effects)
        }
    }

    /// Waits for the failure of a stream.
    private static func failure(of stream: HTTP2ExchangeStream) async throws -> ResponseFailure {
        let error = await #expect(throws: ConnectionError.self) {
            _ = try await stream.inbox.read(atLeast: 1, deadline: nil)
        }
        return stream.failure(by: try #require(error))
    }

    @Test func `streams that open meanwhile are handed over afterwards, in their order`() async throws {
        try await Self.withSession { session, connection in
            let streams = (0..<4).map { _ in HTTP2ExchangeStream(session) }
            connection.interrupt {
                onOtherThread { for stream in streams.dropFirst() { Self.open(stream) } }
                #expect(connection.pieceCount == 0)
            }
            Self.open(streams[0])
            #expect(Self.openStreams(of: session) == [1, 3, 5, 7])
            #expect(streams.map { Self.id($0) } == [1, 3, 5, 7])
            #expect(connection.pieceCount == 2)
        }
    }

    @Test func `other threads take the lock meanwhile`() async throws {
        try await Self.withSession { session, connection in
            let stream = HTTP2ExchangeStream(session)
            connection.interrupt {
                onOtherThread { #expect(Self.openStreams(of: session) == [1]) }
            }
            Self.open(stream)
            #expect(connection.pieceCount == 1)
        }
    }

    @Test func `an exchange that has ended opens no stream`() async throws {
        try await Self.withSession { session, connection in
            let stream = HTTP2ExchangeStream(session)
            stream.abort()
            #expect(throws: HTTP2OpeningFailure.self) {
                try session.open(stream, Self.head, with: nil, endsStream: true)
            }
            #expect(Self.openStreams(of: session).isEmpty)
            #expect(Self.id(stream) == nil)
        }
    }

    @Test func `a session that goes away opens no stream, and sends nothing`() async throws {
        try await Self.withSession { session, connection in
            let stream = HTTP2ExchangeStream(session)
            session.locked.withLock { $0.machine.goAway() }
            let failure = #expect(throws: HTTP2OpeningFailure.self) {
                try session.open(stream, Self.head, with: nil, endsStream: true)
            }
            guard case .request(.goingAway)? = failure else { return #expect(Bool(false), "\(failure as Any)") }
            #expect(Self.id(stream) == nil)
            #expect(!session.isReady)
        }
    }

    @Test func `a stream whose beginning the connection refuses has sent nothing`() async throws {
        try await Self.withSession { session, connection in
            let stream = HTTP2ExchangeStream(session)
            connection.close()
            let failure = #expect(throws: HTTP2OpeningFailure.self) {
                try session.open(stream, Self.head, with: nil, endsStream: true)
            }
            guard case .connection? = failure else { return #expect(Bool(false), "\(failure as Any)") }
            #expect(Self.id(stream) == nil)
            #expect(!session.isReady)
            #expect(Self.openStreams(of: session).isEmpty)
        }
    }

    @Test func `streams that wait for a thread whose connection fails have sent nothing`() async throws {
        try await Self.withSession { session, connection in
            let (first, second) = (HTTP2ExchangeStream(session), HTTP2ExchangeStream(session))
            Self.open(HTTP2ExchangeStream(session))
            connection.interrupt {
                onOtherThread { Self.open(second) }
                connection.base.close()
            }
            Self.open(first)
            for stream in [first, second] {
                let failure = try await Self.failure(of: stream)
                guard case .opening(.connection) = failure else { return #expect(Bool(false), "\(failure)") }
                #expect(Self.id(stream) == nil)
            }
            // The server may have processed the stream before, so only the reader ends it.
            #expect(Self.openStreams(of: session) == [1])
            #expect(throws: HTTP2OpeningFailure.self) {
                try session.open(HTTP2ExchangeStream(session), Self.head, with: nil, endsStream: true)
            }
        }
    }

    @Test func `a session that closes meanwhile sends GOAWAY before the connection closes`() async throws {
        try await Self.withSession { session, connection in
            let isClosed = Flag()
            connection.interrupt {
                onOtherThread { session.close { isClosed.raise() } }
                #expect(!isClosed.isRaised)
            }
            Self.open(HTTP2ExchangeStream(session))
            #expect(isClosed.isRaised)
            #expect(connection.pieceCount == 2)
        }
    }

    @Test func `content waits for the thread that hands over a lot`() async throws {
        try await Self.withSession { session, connection in
            Self.openWindows(of: session)
            let stream = HTTP2ExchangeStream(session)
            _ = try session.open(stream, Self.head, with: nil, endsStream: false)
            let content = ByteBuffer(repeating: 1, count: 1 << 20)
            connection.interrupt {
                onOtherThread {
                    let step = try? session.send(content, on: stream, keeping: 0)
                    guard case .wait(let wait)? = step else { return #expect(Bool(false), "\(step as Any)") }
                    #expect(!wait.isResolved)
                }
            }
            Self.open(HTTP2ExchangeStream(session))
            #expect(stream.state.withLock { $0.unsent.isEmpty })
        }
    }
}

/// Runs an action before it takes the next piece.
private final class InterruptedConnection: ForwardingConnection {
    let base: any Connection
    private let action = Mutex<(@Sendable () -> Void)?>(nil)
    private let count = Mutex(0)

    init(_ base: any Connection) { self.base = base }

    /// The number of pieces that the connection has taken.
    var pieceCount: Int { self.count.withLock { $0 } }

    func interrupt(_ action: @escaping @Sendable () -> Void) {
        self.action.withLock { $0 = action }
        self.count.withLock { $0 = 0 }
    }

    func enqueue(_ bytes: ByteBuffer) throws(ConnectionError) -> Bool {
        let action = self.action.withLock { $0.take() }
        action?()
        let hasRoom = try self.base.enqueue(bytes)
        self.count.withLock { $0 += 1 }
        return hasRoom
    }
}
