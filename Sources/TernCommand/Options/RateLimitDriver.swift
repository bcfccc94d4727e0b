// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import NIOCore
import Tern
import TernConnections
import TernFoundation
import TernRequests
@_spi(CrossModuleInlining) import TernTransport

/// The body of a response, whose pieces are delivered no faster than a limit allows.
final class RateLimitedBody: ResponseBodySource {
    private struct Progress {
        var reader: ResponseBody.Reader
        /// The bytes that have arrived, but may not pass yet.
        var rest = ByteBuffer()
    }

    let length: Int64?

    private let body: ResponseBody
    private let call: HTTPCall
    private let limit: RateLimit
    private let turn: ReadTurn<Progress>

    /// Limits a body.
    ///
    /// - Parameters:
    ///   - body: The body.
    ///   - call: The call.
    ///   - limit: The limit.
    init(_ body: ResponseBody, of call: HTTPCall, _ limit: RateLimit) {
        self.length = body.length
        self.body = body
        self.call = call
        self.limit = limit
        self.turn = ReadTurn(Progress(reader: body.makeReader()))
    }

    func next(atLeast byteCount: Int) async throws(ClientError) -> ByteBuffer? {
        guard var progress = try self.turn.take(self.call) else { return nil }
        do throws(ClientError) {
            guard let piece = try await self.piece(&progress) else {
                self.turn.end()
                return nil
            }
            self.turn.giveBack(progress)
            return piece
        } catch {
            self.turn.end()
            throw error
        }
    }

    func discard() {
        _ = self.turn.discard()
        self.body.discard()
    }

    private func piece(_ progress: inout Progress) async throws(ClientError) -> ByteBuffer? {
        if progress.rest.readableBytes == 0 {
            guard let bytes = try await progress.reader.next() else { return nil }
            progress.rest = bytes
        }
        let count = min(progress.rest.readableBytes, self.limit.maximumPieceByteCount)
        let instant = self.limit.receive(count, at: self.call.clock.now)
        // The deadline of the call may pass during the wait.
        let deadline = self.call.deadline.flatMap { $0.instant < instant ? $0 : nil }
        guard await RateLimit.wait(until: deadline?.instant ?? instant, on: self.call.clock) else {
            throw .cancelled(self.call.context(.body))
        }
        if let deadline { throw deadline.error(self.call.context(.body)) }
        return progress.rest.readSlice(length: count)
    }
}

/// The pieces of a request's body, which are delivered no faster than a limit allows.
struct RateLimitedPieces: AsyncSequence {
    let base: RequestBody.Stream
    let limit: RateLimit
    let clock: any TransportClock

    func makeAsyncIterator() -> Iterator {
        Iterator(reader: self.base.makeReader(), limit: self.limit, clock: self.clock)
    }

    struct Iterator: AsyncIteratorProtocol, TrailersSource {
        fileprivate let reader: RequestBody.Reader
        fileprivate let limit: RateLimit
        fileprivate let clock: any TransportClock
        private var rest = Data()

        fileprivate init(reader: RequestBody.Reader, limit: RateLimit, clock: any TransportClock) {
            self.reader = reader
            self.limit = limit
            self.clock = clock
        }

        var trailers: HTTPFields? { self.reader.trailers }

        mutating func next() async throws -> Data? {
            while self.rest.isEmpty {
                guard let piece = try await self.reader.next() else { return nil }
                self.rest = piece
            }
            let piece = self.rest.prefix(self.limit.maximumPieceByteCount)
            self.rest = self.rest.dropFirst(piece.count)
            let instant = self.limit.send(piece.count, at: self.clock.now)
            guard await RateLimit.wait(until: instant, on: self.clock) else { throw CancellationError() }
            return piece
        }
    }
}

@available(*, unavailable)
extension RateLimitedPieces.Iterator: Sendable {}
