// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Synchronization
import TernConnections
import TernTesting
import TestSupport
import Testing

@_spi(CrossModuleInlining) @testable import TernHTTP
@_spi(CrossModuleInlining) @testable import TernHTTP2

/// Tests streams that are opened while another thread uses the session.
@Suite("HTTP2Opening", .hangLimit)
struct HTTP2OpeningTests {
    private static func withSession(_ body: (HTTP2Session) async throws -> Void) async throws {
        let connector = MemoryConnector { connection in await connection.waitForEnd() }
        let connection = try await connector.connect(to: .host("test", port: 80), deadline: nil)
        let settings = ExchangeSettings(HTTPTransportConfiguration())
        try await body(HTTP2Session(connection, settings, clock: ManualClock()))
        connection.close()
    }

    private static func opening(of stream: HTTP2ExchangeStream) -> HTTP2Opening {
        let head = HTTP2RequestHead(method: .get, scheme: "http", authority: "test", path: "/", fields: [:])
        return HTTP2Opening(of: stream, head, with: nil, endsStream: true)
    }

    private static func openStreams(of session: HTTP2Session) -> [UInt32] {
        session.locked.withLock { locked in locked.streams.keys }
    }

    @Test func `streams that wait are opened in their order`() async throws {
        try await Self.withSession { session in
            let streams = (0..<3).map { _ in HTTP2ExchangeStream(session) }
            session.locked.withLock { locked in
                onOtherThread { for stream in streams { session.openSoon(Self.opening(of: stream)) } }
                #expect(locked.streams.keys.isEmpty)
            }
            #expect(Self.openStreams(of: session) == [1, 3, 5])
            #expect(streams.map { $0.state.withLock { $0.id?.rawValue } } == [1, 3, 5])
        }
    }

    @Test func `an exchange that ends before its stream is opened sends nothing`() async throws {
        try await Self.withSession { session in
            let (first, second) = (HTTP2ExchangeStream(session), HTTP2ExchangeStream(session))
            session.locked.withLock { _ in
                onOtherThread {
                    session.openSoon(Self.opening(of: first))
                    first.abort()
                    session.openSoon(Self.opening(of: second))
                }
            }
            #expect(Self.openStreams(of: session) == [1])
            #expect(first.state.withLock { $0.id } == nil)
            #expect(second.state.withLock { $0.id } == .first)
            #expect(session.locked.withLock { $0.machine.activeStreamCount } == 1)
        }
    }

    @Test func `an exchange whose stream cannot be opened fails, with nothing sent`() async throws {
        try await Self.withSession { session in
            let stream = HTTP2ExchangeStream(session)
            session.locked.withLock { locked in
                onOtherThread { session.openSoon(Self.opening(of: stream)) }
                locked.machine.goAway()
            }
            let error = await #expect(throws: ConnectionError.self) {
                _ = try await stream.inbox.read(atLeast: 1, deadline: nil)
            }
            guard let error, case .opening(.request(.goingAway)) = stream.failure(by: error) else {
                return #expect(Bool(false), "\(error.map { "\(stream.failure(by: $0))" } ?? "no error")")
            }
            #expect(stream.state.withLock { $0.id } == nil)
            #expect(!session.isReady)
        }
    }

    @Test func `an exchange on a connection that was closed fails, with nothing sent`() async throws {
        try await Self.withSession { session in
            let stream = HTTP2ExchangeStream(session)
            session.connection.close()
            session.openSoon(Self.opening(of: stream))
            let error = await #expect(throws: ConnectionError.self) {
                _ = try await stream.inbox.read(atLeast: 1, deadline: nil)
            }
            guard let error, case .opening(.connection) = stream.failure(by: error) else {
                return #expect(Bool(false), "\(error.map { "\(stream.failure(by: $0))" } ?? "no error")")
            }
            #expect(stream.state.withLock { $0.id } == nil)
            #expect(!session.isReady)
            #expect(Self.openStreams(of: session).isEmpty)
        }
    }
}
