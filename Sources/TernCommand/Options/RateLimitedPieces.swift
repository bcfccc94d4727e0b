// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernConnections
import TernFoundation
import TernRequests

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
