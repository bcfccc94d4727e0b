// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import Synchronization
import TernConnections
import TernErrors
import TernFoundation
import TernRequests
import TernTesting
import TernTransport
import TestSupport
import Testing

@testable import TernHTTP

/// Tests the pieces that the sender passes to a sink, for any version of HTTP.
@Suite("BodySender")
struct BodySenderTests {
    /// A sink that records the pieces that it gets, and takes time for segments of files.
    private struct RecordingSink: BodySink {
        struct Record {
            var pieces: [Data] = []
            var ranges: [Range<Int64>] = []
            var endings: [HTTPFields?] = []
        }

        private final class Storage: Sendable {
            let record = Mutex(Record())
        }

        private let storage = Storage()
        var maximumFileSegmentByteCount: Int64 = .max
        let clock: ManualClock
        /// The time that a segment takes.
        var segmentDuration: Duration = .zero
        /// The number of pieces that the sink accepts before the connection is lost.
        var capacity = Int.max

        var record: Record { self.storage.record.withLock { $0 } }

        var writtenByteCount: Int64 { self.record.pieces.reduce(0) { $0 + Int64($1.count) } }

        func send(_ piece: Data) async throws(ConnectionError) {
            guard self.record.pieces.count < self.capacity else { throw .closed }
            self.storage.record.withLock { $0.pieces.append(piece) }
        }

        func send(_ file: ReadableFile, range: Range<Int64>) async throws(ConnectionError) {
            self.storage.record.withLock { $0.ranges.append(range) }
            self.clock.advance(by: self.segmentDuration)
        }

        func end(with trailers: HTTPFields?) async throws(ConnectionError) {
            self.storage.record.withLock { $0.endings.append(trailers) }
        }
    }

    private let clock = ManualClock()

    private func sink(_ change: (inout RecordingSink) -> Void = { _ in }) -> RecordingSink {
        var sink = RecordingSink(clock: self.clock)
        change(&sink)
        return sink
    }

    private func send(
        _ body: OutgoingRequest.Body,
        to sink: RecordingSink,
        length: Int64?,
        _ observer: RecordingObserver? = nil
    ) async throws {
        let request = Request(.post, "http://test/")
        let destination = try request.destination()
        let call = HTTPCall(request, to: destination, timeouts: .none, clock: self.clock, observer: observer)
        try await BodySender(to: sink, for: call, length: length).send(body)
    }

    private func stream(_ pieces: [String], length: Int64?) -> OutgoingRequest.Body {
        let sequence = AsyncStream { continuation in
            for piece in pieces { continuation.yield(Array(piece.utf8)) }
            continuation.finish()
        }
        return .stream(RequestBody.Stream(length: length, isReplayable: false) { sequence })
    }

    @Test func `data goes out in pieces, each with its progress, and then the end`() async throws {
        let (sink, observer) = (self.sink(), RecordingObserver())
        let data = Data((0..<600_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        try await self.send(.data(data), to: sink, length: 600_000, observer)
        #expect(sink.record.pieces.map(\.count) == [262_144, 262_144, 75_712])
        #expect(Data(sink.record.pieces.joined()) == data)
        #expect(observer.sent == [262_144, 524_288, 600_000])
        #expect(sink.record.endings == [nil])
    }

    @Test func `a part of a file that changes while it is sent never ends`() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(String(repeating: "x", count: 5 << 20), to: "file")
        let identity = try await ReadableFile.identity(path: path)
        let part = RequestBody.FilePart(1..<(5 << 20), of: identity)
        let file = try ReadableFile(path: path, part: part)
        let whole = self.sink()
        try await self.send(.file(file), to: whole, length: 5 << 20)
        let starts: [Int64] = [1, 1_048_577, 3_145_729]
        #expect(whole.record.ranges.map(\.lowerBound) == starts)
        #expect(whole.record.ranges.last?.upperBound == 5 << 20)

        try folder.write("other", to: "file")
        let sink = self.sink()
        let failure = await #expect(throws: ClientError.self) {
            try await self.send(.file(file), to: sink, length: 5 << 20)
        }
        #expect(failure?.ending == Ending(.uploadFailed(.fileChanged), in: .send))
        #expect(sink.record.ranges.count == 2 && sink.record.endings.isEmpty)
    }

    @Test func `a file goes out in segments that grow on a fast line and shrink on a slow one`() async throws {
        let folder = try TemporaryFolder()
        try folder.write(String(repeating: "x", count: 5 << 20), to: "file")
        let file = try ReadableFile(path: folder.file("file").path)

        let fast = self.sink()
        try await self.send(.file(file), to: fast, length: 5 << 20)
        let sizes: [Int] = fast.record.ranges.map(\.count)
        #expect(sizes == [1_048_576, 2_097_152, 2_097_152])

        let slow = self.sink { $0.segmentDuration = .seconds(1) }
        try await self.send(.file(file), to: slow, length: 5 << 20)
        let shrinking: [Int] = slow.record.ranges.map(\.count)
        #expect(shrinking.prefix(5) == [1_048_576, 524_288, 262_144, 131_072, 65_536])
        #expect(shrinking.dropFirst(5).allSatisfy { $0 == 65_536 })
        #expect(shrinking.reduce(0, +) == 5 << 20)

        let bounded = self.sink { $0.maximumFileSegmentByteCount = 1 << 18 }
        try await self.send(.file(file), to: bounded, length: 5 << 20)
        #expect(bounded.record.ranges.allSatisfy { $0.count == 1 << 18 } && bounded.record.endings == [nil])
    }

    @Test(arguments: [nil, 6] as [Int64?])
    func `a stream goes out piece by piece, without empty ones`(length: Int64?) async throws {
        let sink = self.sink()
        try await self.send(self.stream(["one", "", "two"], length: length), to: sink, length: length)
        #expect(sink.record.pieces == [Data("one".utf8), Data("two".utf8)])
        #expect(sink.record.endings == [nil])
    }

    @Test(arguments: [3, 5, 7] as [Int64])
    func `a stream of another length never completes the request`(length: Int64) async throws {
        let sink = self.sink()
        let error = await #expect(throws: ClientError.self) {
            try await self.send(self.stream(["one", "two"], length: length), to: sink, length: length)
        }
        #expect(error?.fault == .uploadFailed(.lengthMismatch(announced: length)))
        #expect(sink.writtenByteCount < length && sink.record.endings.isEmpty)
    }

    @Test func `a connection that is lost ends the sending, with no end of the body`() async throws {
        let sink = self.sink { $0.capacity = 1 }
        await #expect(throws: ClientError.self) {
            try await self.send(self.stream(["one", "two", "three"], length: nil), to: sink, length: nil)
        }
        #expect(sink.record.pieces == [Data("one".utf8)] && sink.record.endings.isEmpty)
    }

    @Test func `the trailers of a writer come with the end`() async throws {
        let (body, writer) = RequestBody.makeWriter()
        guard case .stream(let stream) = body.content else {
            Issue.record("a writer writes a stream")
            return
        }
        let sink = self.sink()
        async let sending: Void = self.send(.stream(stream), to: sink, length: nil)
        try await writer.write("one".utf8)
        writer.finish(trailers: [.eTag: "\"1\""])
        try await sending
        #expect(sink.record.pieces == [Data("one".utf8)] && sink.record.endings == [[.eTag: "\"1\""]])
    }
}
