// SPDX-License-Identifier: Apache-2.0
@_spi(CrossModuleInlining) import TernFields

/// A chunk in its shortest form after the data of another chunk: CRLF, a size of up to three digits, CRLF, data.
private struct ShortChunk {
    var data: Range<Int>
    var lineByteCount: Int

    /// Reads the chunk after data that ends at `start`; `nil` if the chunk is not complete, or has another form.
    @inline(__always)
    init?(_ bytes: ByteView, at start: Int) {
        guard bytes.count - start > 5, bytes[start] == UInt8(ascii: "\r"), bytes[start + 1] == UInt8(ascii: "\n") else {
            return nil
        }
        let line = start + 2
        var (offset, size) = (line, 0)
        while offset < line + 3, let digit = ChunkLine.hexadecimalDigit(bytes[offset]) {
            size = size << 4 | Int(truncatingIfNeeded: digit)
            offset += 1
        }
        let dataStart = offset + 2
        guard
            size > 0, size <= bytes.count - dataStart,
            bytes[offset] == UInt8(ascii: "\r"), bytes[offset + 1] == UInt8(ascii: "\n")
        else { return nil }
        (self.data, self.lineByteCount) = (dataStart..<dataStart + size, dataStart - line)
    }
}

extension ResponseDecoder {
    package static let maximumShortChunkByteCount = 0xFFF

    package func canGather(_ input: RawSpan) -> Bool {
        guard case .chunkEnd = self.state else { return false }
        return input.withUnsafeBytes { ShortChunk(ByteView($0), at: 0) != nil }
    }

    /// Copies the data of complete short chunks, because an event for each would cost more; returns the number of consumed bytes.
    package mutating func gather(_ input: RawSpan, into output: inout OutputRawSpan) -> Int {
        guard case .chunkEnd = self.state else { return 0 }
        var (position, count, lineByteCount, dataByteCount) = (0, 0, 0, 0)
        input.withUnsafeBytes { buffer in
            let bytes = ByteView(buffer)
            output.withUnsafeMutableBytes { output, initializedByteCount in
                while let chunk = ShortChunk(bytes, at: position),
                    chunk.data.count <= output.count - initializedByteCount
                {
                    let room = UnsafeMutableRawBufferPointer(rebasing: output[initializedByteCount...])
                    room.copyMemory(from: bytes.part(chunk.data))
                    initializedByteCount += chunk.data.count
                    position = chunk.data.upperBound
                    (count, lineByteCount) = (count + 1, lineByteCount + chunk.lineByteCount)
                    dataByteCount += chunk.data.count
                }
            }
        }
        self.chunkFraming.addPlain(count: count, lineByteCount: lineByteCount, dataByteCount: dataByteCount)
        return position
    }
}
