// SPDX-License-Identifier: Apache-2.0

import TernBrotli
import TernCompression
import TernZstandard

/// Decodes the same content at once and in pieces, and traps if the results differ.
///
/// The first byte chooses the codec and its limits, the second the pieces; the rest is the content.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzCodecDecoder(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    guard count >= 2 else { return 0 }
    let bytes = Array(UnsafeBufferPointer(start: start + 2, count: count - 2))
    let (choice, seed) = (start[0], start[1])
    let codec = choice & 1 == 0 ? ContentCodec.brotli : .zstandard
    var limits = InflationLimits(maximumByteCount: 1 << 17)
    if choice & 2 != 0 { limits.maximumByteCount = Int64(choice >> 2 & 15) * 10 }
    if choice & 4 != 0 { (limits.maximumRatio, limits.ratioFloorByteCount) = (Int(choice >> 3 & 7), 32) }
    do {
        let whole = try DecodedContent(bytes, codec, limits, seed: 0)
        let split = try DecodedContent(bytes, codec, limits, seed: seed)
        // A library may find damage before it has returned the content before the damage. So content that is both damaged
        // and too long has one of two violations.
        let mayDiffer = whole.isTooLong != split.isTooLong && whole.violation != nil && split.violation != nil
        precondition(mayDiffer || whole.violation == split.violation, "a split changed the violation")
        precondition(whole.violation != nil || whole.bytes == split.bytes, "a split changed the content")
    } catch {
        preconditionFailure("could not be set up: \(error)")
    }
    return 0
}

/// The result of decoding content.
struct DecodedContent {
    var bytes: [UInt8] = []
    var violation: ContentViolation?

    var isTooLong: Bool {
        switch self.violation {
        case .tooLong, .ratioExceeded: true
        default: false
        }
    }

    init(_ input: [UInt8], _ codec: ContentCodec, _ limits: InflationLimits, seed: UInt8) throws(CompressionError) {
        var decoder = try CodecDecoder(codec, limits: limits)
        // Larger pieces than for other targets, which are also sizes of memory; a piece may be empty.
        var pieces = Pieces(seed: seed, whole: 1 << 17, short: 0...15, long: 1...1024)
        var (consumed, received) = (0, 0)
        do throws(ContentViolation) {
            repeat {
                received += min(pieces.next(), input.count - received)
                while try self.decode(&decoder, input[consumed..<received], &consumed, room: pieces.next()) {}
                precondition(consumed == received, "input was left")
            } while received < input.count
            try decoder.finish()
        } catch {
            self.violation = error
        }
        precondition(self.bytes.count <= limits.maximumByteCount ?? .max, "more than the limit")
        let ratio = limits.maximumRatio ?? 0
        precondition(self.bytes.count <= max(Int(limits.ratioFloorByteCount), ratio * input.count), "too steep")
    }

    /// Performs one decoding step, and returns whether there may be more output.
    private mutating func decode(
        _ decoder: inout CodecDecoder,
        _ input: ArraySlice<UInt8>,
        _ consumed: inout Int,
        room: Int
    ) throws(ContentViolation) -> Bool {
        let input = Array(input)
        // The output has separate memory, so that the sanitizer detects a write past its end.
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: room, alignment: 1)
        defer { memory.deallocate() }
        var output = OutputRawSpan(buffer: memory, initializedCount: 0)
        defer { self.bytes += memory.prefix(output.byteCount) }
        let progress = try decoder.decode(input.span.bytes, into: &output)
        precondition(0...input.count ~= progress.consumedByteCount, "consumed more than there was")
        consumed += progress.consumedByteCount
        guard progress.status == .needsOutput else { return false }
        precondition(output.byteCount == room, "full, but there was room")
        return true
    }
}
