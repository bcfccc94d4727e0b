// SPDX-License-Identifier: Apache-2.0

struct LimitedDecompressor<Base: Decompressor & ~Copyable>: ~Copyable {
    var base: Base
    private let limits: InflationLimits
    private(set) var receivedByteCount: Int64 = 0
    private(set) var writtenByteCount: Int64 = 0

    init(_ base: consuming Base, limits: InflationLimits) {
        self.base = base
        self.limits = limits
    }

    private var allowedByteCount: Int64 {
        self.limits.allowedByteCount(receivedByteCount: self.receivedByteCount) - self.writtenByteCount
    }

    mutating func receive(_ byteCount: Int) { self.receivedByteCount += Int64(byteCount) }

    /// Returns `nil` if the caller should call again: a limit reduced the room, and the input that is now consumed allows more.
    mutating func decompress(
        _ input: RawSpan,
        into output: inout OutputRawSpan
    ) throws(ContentViolation) -> Inflater.Status? {
        let room = Int(clamping: min(Int64(output.freeCapacity), self.allowedByteCount))
        let progress = try self.decompress(input, into: &output, maximumWrittenByteCount: room)
        guard progress.status == .needsOutput, output.freeCapacity > 0 else { return progress.status }
        // A limit reduced the room. The ratio limit grows with the consumed input, so try again if there is room now.
        if self.allowedByteCount > 0 { return nil }
        return try self.decompressAtLimit(input.extracting(droppingFirst: progress.consumedByteCount))
    }

    /// Consumes as much input as it can without output, and then throws if the input would produce a byte, so that the error does
    /// not depend on how the input is split.
    private mutating func decompressAtLimit(_ input: RawSpan) throws(ContentViolation) -> Inflater.Status {
        guard let progress = try self.probe(input) else {
            if let limit = self.limits.maximumByteCount, self.writtenByteCount >= limit { throw .tooLong(limit: limit) }
            throw .ratioExceeded(limit: self.limits.maximumRatio ?? 0)
        }
        self.receivedByteCount += Int64(progress.consumedByteCount)
        return progress.status
    }

    /// Decompresses without output, or returns `nil` if the input would produce a byte; then the decompressor must not be used
    /// again.
    mutating func probe(_ input: RawSpan) throws(ContentViolation) -> Inflater.Progress? {
        var byte: UInt8 = 0
        return try withUnsafeMutableBytes(of: &byte) { (buffer) throws(ContentViolation) -> Inflater.Progress? in
            var room = OutputRawSpan(buffer: buffer, initializedCount: 0)
            do throws(ContentViolation) {
                let progress = try self.base.decompress(input, into: &room)
                return room.isEmpty ? progress : nil
            } catch {
                // The output before a violation has priority: if there is a byte, report the byte.
                guard room.isEmpty else { return nil }
                throw error
            }
        }
    }

    private mutating func decompress(
        _ input: RawSpan,
        into output: inout OutputRawSpan,
        maximumWrittenByteCount: Int
    ) throws(ContentViolation) -> Inflater.Progress {
        let before = output.byteCount
        defer { self.writtenByteCount += Int64(output.byteCount - before) }
        let progress: Inflater.Progress
        if maximumWrittenByteCount < output.freeCapacity {
            progress = try output.withUnsafeMutableBytes {
                (buffer, initializedCount) throws(ContentViolation) -> Inflater.Progress in
                let place = UnsafeMutableRawBufferPointer(
                    rebasing: buffer[initializedCount...].prefix(maximumWrittenByteCount)
                )
                var room = OutputRawSpan(buffer: place, initializedCount: 0)
                defer { initializedCount += room.byteCount }
                return try self.base.decompress(input, into: &room)
            }
        } else {
            progress = try self.base.decompress(input, into: &output)
        }
        self.receivedByteCount += Int64(progress.consumedByteCount)
        return progress
    }
}
