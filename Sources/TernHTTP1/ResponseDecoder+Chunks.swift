// SPDX-License-Identifier: Apache-2.0
@_spi(CrossModuleInlining) import TernFields

extension ResponseDecoder {
    /// Decodes the next event of a chunked body: skips the framing before data, or before the end of the body.
    mutating func readChunked(_ bytes: ByteView) throws(HTTP1Violation) -> Step {
        var position = 0
        while true {
            switch self.state {
            case .chunkLine(let searchedByteCount):
                guard let size = try self.readChunkLine(bytes, &position, searchedByteCount) else {
                    return Step(consumedByteCount: position, event: nil)
                }
                // RFC 9112 §7.1: a chunk of size zero is the last one; the trailer section follows.
                self.state = size == 0 ? .trailers : .chunkData(remaining: size)
            case .chunkData(let remaining):
                let count = Int(min(remaining, Int64(bytes.count - position)))
                guard count > 0 else { return Step(consumedByteCount: position, event: nil) }
                let rest = remaining - Int64(count)
                self.state = rest == 0 ? .chunkEnd : .chunkData(remaining: rest)
                return Step(consumedByteCount: position + count, event: .body(position..<position + count))
            case .chunkEnd:
                if bytes.count > position, bytes[position] != UInt8(ascii: "\r") { throw .missingChunkTerminator }
                guard bytes.count > position + 1 else { return Step(consumedByteCount: position, event: nil) }
                guard bytes[position + 1] == UInt8(ascii: "\n") else { throw .missingChunkTerminator }
                position += 2
                self.state = .chunkLine(searchedByteCount: 0)
            case .trailers:
                return try self.readTrailers(bytes, at: position)
            case .head, .counted, .untilClose, .ending, .complete, .failed:
                preconditionFailure("the state is not that of a chunked body")
            }
        }
    }

    private mutating func readChunkLine(
        _ bytes: ByteView,
        _ position: inout Int,
        _ searchedByteCount: Int
    ) throws(HTTP1Violation) -> Int64? {
        let maximum = self.limits.maximumChunkLineByteCount
        let end = position + min(bytes.count - position, maximum)
        guard let lineFeed = bytes.firstLineFeed(from: position + searchedByteCount, to: end) else {
            guard end - position < maximum else { throw .chunkLineTooLong(limit: maximum) }
            self.state = .chunkLine(searchedByteCount: end - position)
            return nil
        }
        let size = try ChunkLine.size(bytes, from: position, lineFeed: lineFeed)
        let excess = self.limits.maximumExcessChunkFramingByteCount
        try self.chunkFraming.add(lineByteCount: lineFeed + 1 - position, size: size, limit: excess)
        position = lineFeed + 1
        return size
    }

    private mutating func readTrailers(_ input: ByteView, at position: Int) throws(HTTP1Violation) -> Step {
        let bytes = input.dropFirst(position)
        let maximum = self.limits.maximumTrailerByteCount
        let end = min(bytes.count, maximum)
        guard try self.trailerScan.scan(bytes, to: end, maximumCount: self.limits.maximumFieldCount) else {
            guard end < maximum else { throw .trailersTooLong(limit: maximum) }
            return Step(consumedByteCount: position, event: nil)
        }
        self.state = .complete
        let scan = self.trailerScan
        if !scan.deviations.isEmpty { self.keepsAlive = false }
        let trailers = scan.trailers(bytes)
        return Step(consumedByteCount: position + scan.lineStart, event: .end(trailers: trailers))
    }
}
