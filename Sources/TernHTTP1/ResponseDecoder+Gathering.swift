// SPDX-License-Identifier: Apache-2.0
@_spi(CrossModuleInlining) import TernFields

/// A chunk in its shortest form, after the data of another: CRLF, a size of up to three digits, CRLF, and all its data.
private struct ShortChunk {
    /// The range of its data.
    var data: Range<Int>
    /// The length of the line before the chunk's data.
    var lineByteCount: Int

    /// Reads the chunk after the data that ends at `start`; `nil` if it has any other form.
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
    /// The maximum size of a chunk that ``gather(_:into:)`` copies.
    package static let maximumShortChunkByteCount = 0xFFF

    /// Returns whether ``gather(_:into:)`` finds something to copy.
    package func canGather(_ input: RawSpan) -> Bool {
        guard case .chunkEnd = self.state else { return false }
        return input.withUnsafeBytes { ShortChunk(ByteView($0), at: 0) != nil }
    }

    /// Copies the data of successive short chunks after a body event, because an event for each chunk would cost more.
    ///
    /// It handles whole chunks in their shortest form. All others, and violations, are left for ``next(_:)``.
    ///
    /// - Parameters:
    ///   - input: All bytes received and not consumed yet, from the front.
    ///   - output: The span to copy to; chunks that do not fit are left.
    /// - Returns: The number of bytes of the input to drop.
    /// - Complexity: O(*n*) in the bytes that it consumes.
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
