// SPDX-License-Identifier: Apache-2.0
import TernStreams

/// Decodes the same bytes at once and in pieces, and traps if the records or the violations differ.
///
/// The first byte chooses the format and the limit, the second the pieces. The rest are the server's bytes.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzRecordDecoder(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    guard count >= 2 else { return 0 }
    let bytes = Array(UnsafeBufferPointer(start: start + 2, count: count - 2))
    let format: RecordFormat = start[0] & 1 == 0 ? .lines : .textSequence
    let limit = start[0] & 2 != 0 ? 8 : 4096
    let whole = Outcome(of: bytes, format, limit, pieces: Pieces(seed: 0))
    let split = Outcome(of: bytes, format, limit, pieces: Pieces(seed: start[1]))
    precondition(whole == split, "a split changed the records")
    whole.check(bytes, format, limit)
    return 0
}

/// The result of decoding.
struct Outcome: Equatable {
    var records: [Record] = []
    var violations: [RecordViolation] = []

    /// Whether the last violation, if any, leaves the decoder usable.
    private var mayContinue: Bool {
        guard let last = self.violations.last else { return true }
        if case .truncated = last { return true }
        return false
    }

    init(of bytes: [UInt8], _ format: RecordFormat, _ limit: Int, pieces: Pieces) {
        var decoder = RecordDecoder(format: format, maximumRecordByteCount: limit)
        var (pieces, received) = (pieces, 0)
        while received < bytes.count {
            let piece = Array(bytes[received..<received + min(pieces.next(), bytes.count - received)])
            received += piece.count
            var offset = 0
            while self.add({ () throws(RecordViolation) in try decoder.next(in: piece.span.bytes, from: &offset) }) {}
            guard self.mayContinue else { return }
            precondition(offset == piece.count, "bytes are left")
        }
        self.add { () throws(RecordViolation) in try decoder.finish() }
    }

    /// Adds a record or a violation.
    ///
    /// - Returns: Whether there may be another one.
    @discardableResult
    private mutating func add(_ next: () throws(RecordViolation) -> Record?) -> Bool {
        do throws(RecordViolation) {
            guard let record = try next() else { return false }
            self.records.append(record)
        } catch {
            self.violations.append(error)
        }
        return self.mayContinue
    }

    /// Checks the invariants of records.
    func check(_ bytes: [UInt8], _ format: RecordFormat, _ limit: Int) {
        var end: Int64 = 0
        var number = -1
        for record in self.records {
            precondition(record.number > number && record.offset >= end, "records out of order")
            precondition(!record.bytes.isEmpty && record.bytes.count <= limit, "a record of a wrong length")
            let start = Int(record.offset)
            precondition(bytes[start..<start + record.bytes.count].elementsEqual(record.bytes), "other bytes")
            precondition(format == .textSequence || !record.bytes.contains(0x0A), "a record of two lines")
            precondition(format == .lines || !record.bytes.contains(0x1E), "two records as one")
            number = record.number
            end = record.offset + Int64(record.bytes.count)
        }
        precondition(format == .textSequence || self.violations.count <= 1, "violations of lines")
    }
}
