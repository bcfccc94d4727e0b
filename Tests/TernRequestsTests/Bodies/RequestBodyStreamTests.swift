// SPDX-License-Identifier: Apache-2.0
import TernFoundation
import TernRequests
import TestSupport
import Testing

@Suite("Bodies that come in pieces", .hangLimit)
struct RequestBodyStreamTests {
    private struct Interruption: Error, Equatable {}

    /// A sequence of increasing numbers, whose iterator is not `Sendable`.
    private struct Counter: AsyncSequence, Sendable {
        typealias Element = ArraySlice<UInt8>
        var limit: UInt8
        var failsAtEnd = false

        final class Iterator: AsyncIteratorProtocol {
            private var value: UInt8 = 0
            private let counter: Counter
            init(_ counter: Counter) { self.counter = counter }

            func next() async throws -> ArraySlice<UInt8>? {
                guard self.value < self.counter.limit else {
                    if self.counter.failsAtEnd { throw Interruption() }
                    return nil
                }
                self.value += 1
                return [self.value, self.value]
            }
        }

        func makeAsyncIterator() -> Iterator { Iterator(self) }
    }

    private func stream(of body: RequestBody) throws -> RequestBody.Stream {
        guard case .stream(let stream) = body.content else { throw Interruption() }
        return stream
    }

    private func pieces(of stream: RequestBody.Stream) async throws -> [Data] {
        let reader = stream.makeReader()
        var pieces: [Data] = []
        while let piece = try await reader.next() { pieces.append(piece) }
        return pieces
    }

    @Test func `pieces come in order, then nil`() async throws {
        let stream = try self.stream(of: .stream(Counter(limit: 3)))
        #expect(try await self.pieces(of: stream) == [Data([1, 1]), Data([2, 2]), Data([3, 3])])
    }

    @Test func `pieces may be data or arrays`() async throws {
        let data = AsyncStream<Data> { stream in
            stream.yield(Data("ab".utf8))
            stream.yield(Data())
            stream.finish()
        }
        #expect(try await self.pieces(of: self.stream(of: .stream(data))) == [Data("ab".utf8), Data()])
        let arrays = AsyncStream<[UInt8]> { stream in
            stream.yield([1, 2])
            stream.finish()
        }
        #expect(try await self.pieces(of: self.stream(of: .stream(arrays))) == [Data([1, 2])])
    }

    @Test func `a slice of data keeps its bytes`() async throws {
        let slice = Data("xxab".utf8)[2...]
        let stream = AsyncStream<Data> { stream in
            stream.yield(slice)
            stream.finish()
        }
        #expect(try await self.pieces(of: self.stream(of: .stream(stream))) == [Data("ab".utf8)])
    }

    @Test func `an empty stream gives nil at once`() async throws {
        #expect(try await self.pieces(of: self.stream(of: .stream(Counter(limit: 0)))) == [])
    }

    @Test func `what the sequence throws is thrown`() async throws {
        let reader = try self.stream(of: .stream(Counter(limit: 1, failsAtEnd: true))).makeReader()
        #expect(try await reader.next() == Data([1, 1]))
        await #expect(throws: Interruption()) { try await reader.next() }
    }

    @Test func `a sequence that is made anew is read from its start each time`() async throws {
        let stream = try self.stream(of: .replayableStream { Counter(limit: 2) })
        let first = try await self.pieces(of: stream)
        let second = try await self.pieces(of: stream)
        #expect(first == second)
        #expect(first.count == 2)
    }

    @Test func `nothing is asked for before it is wanted`() async throws {
        let (sequence, continuation) = AsyncStream.makeStream(of: [UInt8].self)
        let reader = try self.stream(of: .stream(sequence)).makeReader()
        continuation.yield([1])
        #expect(try await reader.next() == Data([1]))
        continuation.yield([2])
        continuation.finish()
        #expect(try await reader.next() == Data([2]))
        #expect(try await reader.next() == nil)
    }

    @Test @MainActor func `an actor can read too`() async throws {
        let reader = try self.stream(of: .stream(Counter(limit: 1))).makeReader()
        #expect(try await reader.next() == Data([1, 1]))
        #expect(try await reader.next() == nil)
    }
}
