// SPDX-License-Identifier: Apache-2.0

import TernCompression
import TestSupport
import Testing

extension [UInt8] {
    /// Appends the bytes that `body` writes to a span with exactly the given room, even if `body` throws.
    mutating func append<Result, Failure: Error>(
        room: Int,
        _ body: (inout OutputRawSpan) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        // The bytes after the room show whether `body` writes too far.
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: room + 8, alignment: 1)
        defer { memory.deallocate() }
        memory.initializeMemory(as: UInt8.self, repeating: 0xEE)
        var output = OutputRawSpan(buffer: .init(rebasing: memory[..<room]), initializedCount: 0)
        defer {
            if memory.loadUnaligned(fromByteOffset: room, as: UInt64.self) != 0xEEEE_EEEE_EEEE_EEEE {
                Issue.record("written outside of the span")
            }
            self += memory.prefix(output.byteCount)
        }
        return try body(&output)
    }
}

extension Deflater {
    /// Compresses `input` in pieces, and flushes once.
    mutating func all(_ input: [UInt8], flush: Flush, _ cuts: Cuts = Cuts()) -> [UInt8] {
        var (result, start): ([UInt8], Int) = ([], 0)
        while true {
            let end = start + Swift.min(cuts.pieceByteCount, input.count - start)
            let flush = end == input.count ? flush : .none
            var isComplete = false
            while !isComplete {
                let before = result.count
                let progress = result.append(room: cuts.roomByteCount) { output in
                    self.deflate(ContiguousArray(input).span.bytes.extracting(start..<end), flush: flush, into: &output)
                }
                start += progress.consumedByteCount
                isComplete = progress.isComplete
                let isFull = result.count - before == cuts.roomByteCount
                #expect(isComplete ? start == end : isFull, "incomplete, but there was room")
                guard isComplete || isFull else { return result }
            }
            if end == input.count { return result }
        }
    }

    /// Compresses one value.
    static func whole(
        _ input: [UInt8],
        _ format: CompressionFormat,
        _ parameters: DeflateParameters = DeflateParameters(),
        _ cuts: Cuts = Cuts()
    ) throws -> [UInt8] {
        var deflater = try Deflater(format, parameters)
        return deflater.all(input, flush: .finish, cuts)
    }
}

/// The result of inflating bytes.
struct Inflated: Equatable {
    var bytes: [UInt8] = []
    var hasEnded = false
    /// The number of bytes after the end.
    var restByteCount = 0
    var violation: InflateViolation?

    init(_ input: [UInt8], _ inflater: inout Inflater, _ cuts: Cuts = Cuts()) {
        var (start, end) = (0, 0)
        do throws(InflateViolation) {
            repeat {
                end += min(cuts.pieceByteCount, input.count - end)
                while true {
                    let before = self.bytes.count
                    let progress = try self.bytes.append(room: cuts.roomByteCount) {
                        (output) throws(InflateViolation) in
                        try inflater.inflate(ContiguousArray(input).span.bytes.extracting(start..<end), into: &output)
                    }
                    start += progress.consumedByteCount
                    let isFull = self.bytes.count - before == cuts.roomByteCount
                    self.hasEnded = progress.status == .ended
                    guard progress.status == .needsOutput else { break }
                    #expect(isFull)
                    guard isFull else { return }
                }
                if !self.hasEnded { #expect(start == end, "input was left") }
            } while end < input.count && !self.hasEnded
            self.restByteCount = input.count - start
        } catch {
            self.violation = error
        }
    }

    init(_ input: [UInt8], _ format: CompressionFormat, windowBits: Int = 15, _ cuts: Cuts = Cuts()) throws {
        var inflater = try Inflater(format, windowBits: windowBits)
        self.init(input, &inflater, cuts)
    }
}

/// The result of decoding content.
struct Decoded: Equatable {
    var bytes: [UInt8] = []
    var violation: ContentViolation?

    init(bytes: [UInt8]) { self.bytes = bytes }

    init<Pieces: Sequence<ArraySlice<UInt8>>>(
        _ pieces: Pieces,
        _ coding: ContentCoding,
        limits: InflationLimits = InflationLimits(),
        roomByteCount: Int = 4096
    ) throws {
        var decoder = try ContentDecoder(coding, limits: limits)
        do throws(ContentViolation) {
            for piece in pieces { try self.decode(Array(piece), &decoder, roomByteCount) }
            try decoder.finish()
            let isComplete = decoder.isComplete
            #expect(isComplete)
        } catch {
            self.violation = error
            self.expectSameViolation(&decoder)
        }
    }

    init(
        _ input: [UInt8],
        _ coding: ContentCoding,
        limits: InflationLimits = InflationLimits(),
        _ cuts: Cuts = Cuts()
    ) throws {
        let size = min(cuts.pieceByteCount, max(input.count, 1))
        let pieces = stride(from: 0, to: input.count, by: size).map { input[$0..<min($0 + size, input.count)] }
        try self.init(pieces, coding, limits: limits, roomByteCount: cuts.roomByteCount)
    }

    private mutating func decode(
        _ piece: [UInt8],
        _ decoder: inout ContentDecoder,
        _ roomByteCount: Int
    ) throws(ContentViolation) {
        var start = 0
        while true {
            let before = self.bytes.count
            let progress = try self.bytes.append(room: roomByteCount) { (output) throws(ContentViolation) in
                try decoder.decode(ContiguousArray(piece).span.bytes.extracting(droppingFirst: start), into: &output)
            }
            start += progress.consumedByteCount
            guard progress.status == .needsOutput else { break }
            #expect(self.bytes.count - before == roomByteCount, "full, but there was room")
        }
        #expect(start == piece.count, "input was left")
    }

    /// Expects that a decoder fails in the same way again.
    ///
    /// The violation for content that was cut short occurs only at the end.
    private func expectSameViolation(_ decoder: inout ContentDecoder) {
        let isComplete = decoder.isComplete
        #expect(!isComplete)
        var output: [UInt8] = []
        do throws(ContentViolation) {
            if self.violation == .truncated {
                try decoder.finish()
            } else {
                try self.decodeMore(&output, &decoder)
            }
            Issue.record("went on after a violation")
        } catch {
            #expect(error == self.violation && output.isEmpty)
        }
    }

    private func decodeMore(_ output: inout [UInt8], _ decoder: inout ContentDecoder) throws(ContentViolation) {
        _ = try output.append(room: 16) { (output) throws(ContentViolation) in
            try decoder.decode(ContiguousArray([0, 0]).span.bytes, into: &output)
        }
    }
}

/// Expects two decodings to have the same result.
func expectEqual(_ actual: Decoded, _ expected: Decoded, sourceLocation: SourceLocation = #_sourceLocation) {
    expectEqual(actual.bytes, expected.bytes, sourceLocation: sourceLocation)
    #expect(actual.violation == expected.violation, sourceLocation: sourceLocation)
}
