// SPDX-License-Identifier: Apache-2.0
import NIOCore
import NIOFoundationEssentialsCompat
import TernCompression
import TernRequests

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Compresses pieces as they are asked for.
struct GzipPieces: AsyncSequence {
    let base: RequestBody.Stream

    func makeAsyncIterator() -> Iterator { Iterator(self.base.makeReader()) }

    struct Iterator: AsyncIteratorProtocol {
        private let reader: RequestBody.Reader
        private let gzip = Gzip()
        private var isOver = false

        fileprivate init(_ reader: RequestBody.Reader) { self.reader = reader }

        /// The next compressed bytes; empty where the compressor keeps them for now.
        mutating func next() async throws -> Data? {
            guard !self.isOver else { return nil }
            guard let piece = try await self.reader.next() else {
                self.isOver = true
                return try self.gzip.compress(Data(), isLast: true)
            }
            return try self.gzip.compress(piece, isLast: false)
        }
    }
}

@available(*, unavailable)
extension GzipPieces.Iterator: Sendable {}

/// One gzip stream on its way (RFC 1952); belongs to one task.
final class Gzip {
    private static let roomByteCount = 64 << 10

    private var deflater: Deflater?

    /// Compresses some more.
    ///
    /// - Throws: `CompressionFailure`, if there is no memory.
    func compress(_ data: Data, isLast: Bool) throws(CompressionFailure) -> Data {
        if self.deflater == nil { self.deflater = try Deflater(.gzip) }
        var output = ByteBuffer()
        let input = ByteBuffer(data: data)
        var consumed = 0
        var isComplete = false
        while !isComplete {
            output.writeWithOutputRawSpan(minimumWritableBytes: Self.roomByteCount) { span in
                let rest = input.readableBytesSpan.extracting(droppingFirst: consumed)
                guard let progress = self.deflater?.deflate(rest, flush: isLast ? .finish : .none, into: &span) else {
                    isComplete = true
                    return
                }
                consumed += progress.consumedByteCount
                isComplete = progress.isComplete
            }
        }
        return Data(buffer: output)
    }
}

@available(*, unavailable)
extension Gzip: Sendable {}
