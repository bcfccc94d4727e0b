// SPDX-License-Identifier: Apache-2.0
import NIOCore
import TernConnections
import TernErrors
import TernRequests
import TernTesting
import TestSupport
import Testing

@Suite("Adversity", .hangLimit)
struct AdversityTests {
    private static let target = ConnectionEndpoint.host("test", port: 80)

    /// Returns the bytes that the client reads from a server that sends ten digits and closes.
    private func received(
        _ adversities: Adversity...
    ) async throws(ConnectionError) -> (pieces: [String], failure: ConnectionError?) {
        let connector = MemoryConnector(plan: .accept(toClient: adversities)) { connection in
            try await connection.write("0123456789")
        }
        let connection = try await connector.connect(to: Self.target, deadline: nil)
        var pieces: [String] = []
        do throws(ConnectionError) {
            while let bytes = try await connection.read(atLeast: 1, deadline: nil) {
                pieces.append(String(buffer: bytes))
            }
            return (pieces, nil)
        } catch {
            return (pieces, error)
        }
    }

    @Test func `without any, all arrives and ends in order`() async throws {
        let (pieces, failure) = try await self.received()
        #expect(pieces.joined() == "0123456789")
        #expect(failure == nil)
    }

    @Test(arguments: [1, 3, 10, 20])
    func `a drip gives so many bytes at a time, and all of them`(size: Int) async throws {
        let (pieces, failure) = try await self.received(.drip(bytesPerPiece: size))
        #expect(pieces.joined() == "0123456789")
        #expect(pieces.allSatisfy { $0.utf8.count <= size })
        #expect(pieces.count >= 10 / size)
        #expect(failure == nil)
    }

    @Test(arguments: 0...10)
    func `a cut ends in order after so many bytes`(count: Int) async throws {
        let (pieces, failure) = try await self.received(.cut(afterByteCount: count))
        #expect(pieces.joined() == "0123456789".prefix(count))
        #expect(failure == nil)
    }

    @Test(arguments: 0...10)
    func `a reset fails after so many bytes`(count: Int) async throws {
        let (pieces, failure) = try await self.received(.reset(afterByteCount: count))
        #expect(pieces.joined() == "0123456789".prefix(count))
        #expect(failure == .reset)
    }

    @Test func `of several ends the earliest happens, after a drip too`() async throws {
        let (pieces, failure) = try await self.received(
            .cut(afterByteCount: 7),
            .reset(afterByteCount: 4),
            .drip(bytesPerPiece: 3)
        )
        #expect(pieces == ["012", "3"])
        #expect(failure == .reset)
    }

    @Test func `a stall lets so many bytes through and then nothing, not even the end`() async throws {
        let clock = ManualClock()
        let connector = MemoryConnector(plan: .accept(toClient: [.stall(afterByteCount: 4)]), clock: clock) {
            connection in
            try await connection.write("0123456789")
        }
        let connection = try await connector.connect(to: Self.target, deadline: nil)
        #expect(try await connection.read(atLeast: 4, deadline: nil).map { String(buffer: $0) } == "0123")
        let deadline = CallDeadline(.idle, limit: .seconds(9), from: clock.now)
        let next = Task { try await connection.read(atLeast: 1, deadline: deadline) }
        try await clock.waitForScheduled(in: .seconds(9))
        clock.advance(by: .seconds(9))
        await #expect(throws: ConnectionError.timedOut(deadline)) { try await next.value }
    }

    @Test func `a half-closed direction ends, and the other one goes on`() async throws {
        let heard = Suspension<String>()
        let connector = MemoryConnector(plan: .accept(toClient: [.halfClose(afterByteCount: 2)])) { connection in
            try await connection.write("0123456789")
            heard.resume(with: String(decoding: try await connection.readBytes(5), as: UTF8.self))
        }
        let connection = try await connector.connect(to: Self.target, deadline: nil)
        #expect(try await connection.read(atLeast: 2, deadline: nil).map { String(buffer: $0) } == "01")
        #expect(try await connection.read(atLeast: 1, deadline: nil) == nil)
        try await connection.write(ByteBuffer(string: "still"), deadline: nil)
        #expect(await heard.wait(onCancel: "") == "still")
    }

    @Test func `a stall towards the server makes the client's writes wait`() async throws {
        let clock = ManualClock()
        let plan = ConnectionPlan.accept(toServer: [.stall()])
        let connector = MemoryConnector(plan: plan, clock: clock) { await $0.waitForEnd() }
        let connection = try await connector.connect(to: Self.target, deadline: nil)
        let deadline = CallDeadline(.idle, limit: .seconds(9), from: clock.now)
        try await connection.write(ByteBuffer(string: "on its way"), deadline: nil)
        let written = Task { try await connection.write(ByteBuffer(string: "lost"), deadline: deadline) }
        try await clock.waitForScheduled(in: .seconds(9))
        clock.advance(by: .seconds(9))
        await #expect(throws: ConnectionError.timedOut(deadline)) { try await written.value }
    }

    @Test func `a reset towards the server is noticed by both sides`() async throws {
        let noticed = Suspension<ConnectionError?>()
        let connector = MemoryConnector(plan: .accept(toServer: [.reset(afterByteCount: 2)])) { connection in
            do throws(ConnectionError) {
                while try await connection.read() != nil {}
                noticed.resume(with: nil)
            } catch {
                noticed.resume(with: error)
            }
        }
        let connection = try await connector.connect(to: Self.target, deadline: nil)
        try? await connection.write(ByteBuffer(string: "0123"), deadline: nil)
        #expect(await noticed.wait(onCancel: nil) == .reset)
        await #expect(throws: ConnectionError.reset) {
            try await connection.write(ByteBuffer(string: "more"), deadline: nil)
        }
    }
}
