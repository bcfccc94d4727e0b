// SPDX-License-Identifier: Apache-2.0
import TernStreams
import TestSupport

extension LineDecoder {
    /// Returns all lines of an input that arrives in chunks, and the violation that ended the input, if any.
    mutating func lines(from chunks: [ArraySlice<UInt8>]) -> (lines: [String], violation: LineViolation?) {
        var lines: [String] = []
        do throws(LineViolation) {
            for chunk in chunks.map(Array.init) {
                var offset = 0
                while let line = try self.next(in: ContiguousArray(chunk).span.bytes, from: &offset) {
                    lines.append(line)
                }
            }
        } catch {
            return (lines, error)
        }
        if let line = self.finish() { lines.append(line) }
        return (lines, nil)
    }

    /// Returns the lines that end in one chunk.
    mutating func lines(in chunk: [UInt8]) throws(LineViolation) -> [String] {
        var lines: [String] = []
        var offset = 0
        while let line = try self.next(in: ContiguousArray(chunk).span.bytes, from: &offset) { lines.append(line) }
        return lines
    }
}

/// Decodes lines byte by byte, as a simple reference without caches or a fast path.
func referenceLines(of bytes: [UInt8]) -> [String] {
    var lines: [String] = []
    var line: [UInt8] = []
    var previous: UInt8?
    for byte in bytes {
        switch byte {
        case 0x0A where previous == 0x0D: break
        case 0x0A, 0x0D:
            lines.append(String(decoding: line, as: UTF8.self))
            line = []
        default: line.append(byte)
        }
        previous = byte
    }
    if !line.isEmpty { lines.append(String(decoding: line, as: UTF8.self)) }
    return lines
}

/// Cuts `bytes` at random into chunks, some of them empty.
func randomSplit(of bytes: [UInt8], using generator: inout SeededGenerator) -> [ArraySlice<UInt8>] {
    var chunks: [ArraySlice<UInt8>] = []
    var start = 0
    while start < bytes.count {
        let end = min(bytes.count, start + Int.random(in: 0...12, using: &generator))
        chunks.append(bytes[start..<end])
        start = end
    }
    return chunks
}
