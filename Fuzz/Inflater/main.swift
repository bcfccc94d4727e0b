// SPDX-License-Identifier: Apache-2.0

import TernCompression

/// Decompresses the same bytes at once and in pieces, and traps if the results differ.
///
/// The first byte chooses the reader and its limits, the second the pieces; the rest is the input. If the two highest
/// bits of the first byte are set, the target instead compresses the rest in pieces, and decompression must return it
/// unchanged.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzInflater(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    guard count >= 2 else { return 0 }
    let bytes = Array(UnsafeBufferPointer(start: start + 2, count: count - 2))
    let (choice, seed) = (start[0], start[1])
    do {
        switch choice >> 6 {
        case 0, 1: try compareContent(bytes, choice, seed)
        case 2: try compareInflation(bytes, choice, seed)
        default: try roundTrip(bytes, choice, seed)
        }
    } catch {
        preconditionFailure("could not be set up: \(error)")
    }
    return 0
}

extension Pieces {
    /// Larger pieces than for other targets, which are also sizes of memory; a piece may be empty.
    init(ofOutputFor seed: UInt8) { self.init(seed: seed, whole: 1 << 17, short: 0...15, long: 1...1024) }
}

extension [UInt8] {
    /// Appends the output of `body`.
    ///
    /// The output has separate memory, so that the sanitizer detects a write past its end.
    mutating func append<Result, Failure: Error>(
        room: Int,
        _ body: (inout OutputRawSpan) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: room, alignment: 1)
        defer { memory.deallocate() }
        var output = OutputRawSpan(buffer: memory, initializedCount: 0)
        defer { self += memory.prefix(output.byteCount) }
        return try body(&output)
    }
}

// MARK: Content

func compareContent(_ bytes: [UInt8], _ choice: UInt8, _ seed: UInt8) throws(CompressionError) {
    let coding = choice & 1 == 0 ? ContentCoding.gzip : .deflate
    var limits = InflationLimits(maximumByteCount: 1 << 17)
    if choice & 2 != 0 { limits.maximumByteCount = Int64(choice >> 2 & 15) * 10 }
    if choice & 4 != 0 { (limits.maximumRatio, limits.ratioFloorByteCount) = (Int(choice >> 3 & 7), 32) }
    let whole = try DecodedContent(bytes, coding, limits, seed: 0)
    let split = try DecodedContent(bytes, coding, limits, seed: seed)
    precondition(whole == split, "a split changed the answer")
}

/// The result of decoding content.
struct DecodedContent: Equatable {
    var bytes: [UInt8] = []
    var violation: ContentViolation?

    init(_ input: [UInt8], _ coding: ContentCoding, _ limits: InflationLimits, seed: UInt8) throws(CompressionError) {
        var decoder = try ContentDecoder(coding, limits: limits)
        var (pieces, consumed, received) = (Pieces(ofOutputFor: seed), 0, 0)
        do throws(ContentViolation) {
            repeat {
                received += min(pieces.next(), input.count - received)
                while try self.decode(&decoder, input[consumed..<received], &consumed, room: pieces.next()) {}
                precondition(consumed == received, "input was left")
            } while received < input.count
            try decoder.finish()
        } catch {
            self.violation = error
            let isComplete = decoder.isComplete
            precondition(!isComplete, "broken, but complete")
        }
        precondition(self.bytes.count <= limits.maximumByteCount ?? .max, "more than the limit")
        let ratio = limits.maximumRatio ?? 0
        precondition(self.bytes.count <= max(Int(limits.ratioFloorByteCount), ratio * input.count), "too steep")
    }

    /// Performs one decoding step, and returns whether there may be more output.
    private mutating func decode(
        _ decoder: inout ContentDecoder,
        _ input: ArraySlice<UInt8>,
        _ consumed: inout Int,
        room: Int
    ) throws(ContentViolation) -> Bool {
        let input = Array(input)
        let before = self.bytes.count
        let progress = try self.bytes.append(room: room) { (output) throws(ContentViolation) in
            try decoder.decode(input.span.bytes, into: &output)
        }
        precondition(0...input.count ~= progress.consumedByteCount, "consumed more than there was")
        consumed += progress.consumedByteCount
        guard progress.status == .needsOutput else { return false }
        precondition(self.bytes.count - before == room, "full, but there was room")
        return true
    }
}

// MARK: Inflation

func compareInflation(_ bytes: [UInt8], _ choice: UInt8, _ seed: UInt8) throws(CompressionError) {
    let format = [CompressionFormat.raw, .zlib, .gzip, .raw][Int(choice & 3)]
    let windowBits = choice & 4 == 0 ? 15 : Int(choice >> 3 & 7) + 8
    let whole = try InflatedBytes(bytes, format, windowBits, seed: 0)
    let split = try InflatedBytes(bytes, format, windowBits, seed: seed)
    // With a smaller window, the size of the output determines whether zlib detects data that refers back too far.
    guard windowBits == 15 || (whole.violation == nil && split.violation == nil) else { return }
    precondition(whole == split, "a split changed the answer")
}

/// The result of inflating bytes, up to a maximum length.
struct InflatedBytes: Equatable {
    var bytes: [UInt8] = []
    var violation: InflateViolation?
    var consumedByteCount = 0
    private static let enough = 1 << 17

    init(
        _ input: [UInt8],
        _ format: CompressionFormat,
        _ windowBits: Int,
        seed: UInt8
    ) throws(CompressionError) {
        var inflater = try Inflater(format, windowBits: windowBits)
        var (pieces, received) = (Pieces(ofOutputFor: seed), 0)
        do throws(InflateViolation) {
            repeat {
                received += min(pieces.next(), input.count - received)
                var status = Inflater.Status.needsOutput
                while status == .needsOutput && self.bytes.count < Self.enough {
                    status = try self.inflate(&inflater, input[self.consumedByteCount..<received], room: pieces.next())
                }
                if status == .ended { return }
            } while received < input.count && self.bytes.count < Self.enough
        } catch {
            self.violation = error
            self.consumedByteCount = 0  // known only for earlier input
        }
        guard self.bytes.count >= Self.enough else { return }
        self = Self()  // the position of the error depends on the pieces
    }

    private init() {}

    private mutating func inflate(
        _ inflater: inout Inflater,
        _ input: ArraySlice<UInt8>,
        room: Int
    ) throws(InflateViolation) -> Inflater.Status {
        let input = Array(input)
        let before = self.bytes.count
        let progress = try self.bytes.append(room: room) { (output) throws(InflateViolation) in
            try inflater.inflate(input.span.bytes, into: &output)
        }
        precondition(0...input.count ~= progress.consumedByteCount, "consumed more than there was")
        self.consumedByteCount += progress.consumedByteCount
        switch progress.status {
        case .needsInput: precondition(progress.consumedByteCount == input.count, "input was left")
        case .needsOutput: precondition(self.bytes.count - before == room, "full, but there was room")
        case .ended: break
        }
        return progress.status
    }
}

// MARK: Round trips

func roundTrip(_ bytes: [UInt8], _ choice: UInt8, _ seed: UInt8) throws(CompressionError) {
    let format = [CompressionFormat.raw, .zlib, .gzip, .raw][Int(choice & 3)]
    let strategies: [DeflateParameters.Strategy] = [.standard, .filtered, .huffmanOnly, .runLength, .fixed]
    let parameters = DeflateParameters(
        level: Int(choice >> 2 & 15) % 10,
        windowBits: 9 + Int(seed) % 7,
        memoryLevel: 1 + Int(seed) % 9,
        strategy: strategies[Int(seed) % 5]
    )
    var deflater = try Deflater(format, parameters)
    var (compressed, pieces, start): ([UInt8], Pieces, Int) = ([], Pieces(ofOutputFor: seed), 0)
    repeat {
        let end = start + min(pieces.next(), bytes.count - start)
        var flush = end & 1 == 0 ? Deflater.Flush.sync : .none
        if end == bytes.count { flush = .finish }
        deflate(&deflater, Array(bytes[start..<end]), flush, &pieces, &compressed)
        start = end
    } while start < bytes.count

    var inflater = try Inflater(format, windowBits: parameters.windowBits)
    var (result, consumed): ([UInt8], Int) = ([], 0)
    var status = Inflater.Status.needsOutput
    while status == .needsOutput {
        do throws(InflateViolation) {
            let progress = try result.append(room: pieces.next()) { (output) throws(InflateViolation) in
                try inflater.inflate(compressed.span.bytes.extracting(droppingFirst: consumed), into: &output)
            }
            (status, consumed) = (progress.status, consumed + progress.consumedByteCount)
        } catch {
            preconditionFailure("what was compressed is refused: \(error)")
        }
    }
    precondition(status == .ended && consumed == compressed.count && result == bytes, "something else came back")
}

func deflate(
    _ deflater: inout Deflater,
    _ input: [UInt8],
    _ flush: Deflater.Flush,
    _ pieces: inout Pieces,
    _ compressed: inout [UInt8]
) {
    var (start, isComplete) = (0, false)
    while !isComplete {
        let (room, before) = (pieces.next(), compressed.count)
        let progress = compressed.append(room: room) { output in
            deflater.deflate(input.span.bytes.extracting(droppingFirst: start), flush: flush, into: &output)
        }
        start += progress.consumedByteCount
        isComplete = progress.isComplete
        precondition(isComplete ? start == input.count : compressed.count - before == room, "stopped without reason")
    }
    if flush == .sync, !input.isEmpty { precondition(compressed.suffix(4) == [0, 0, 0xFF, 0xFF], "no mark") }
}
