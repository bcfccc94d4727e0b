// SPDX-License-Identifier: Apache-2.0
import TernFoundation

/// Collects the bytes of one record, and counts the records.
struct RecordBuffer: Sendable {
    private let format: RecordFormat
    private let maximumByteCount: Int
    private var bytes = Data()
    private(set) var number = 0
    /// The offset of the current record's first byte in the input.
    private var offset: Int64 = 0

    init(format: RecordFormat, maximumByteCount: Int) {
        self.format = format
        self.maximumByteCount = maximumByteCount
    }

    var isEmpty: Bool { self.bytes.isEmpty }

    var byteCount: Int { self.bytes.count }

    mutating func start(at offset: Int64) { self.offset = offset }

    mutating func append(_ bytes: UnsafeRawBufferPointer) throws(RecordViolation) {
        try self.check(bytes.count, last: bytes.last)
        bytes.withMemoryRebound(to: UInt8.self) { self.bytes.append($0) }
    }

    mutating func append(_ bytes: ArraySlice<UInt8>) throws(RecordViolation) {
        try self.check(bytes.count, last: bytes.last)
        self.bytes.append(contentsOf: bytes)
    }

    mutating func take() -> Record {
        var record = Record(bytes: self.bytes, number: self.number, offset: self.offset)
        self.bytes = Data()
        self.number += 1
        // A CR before the LF belongs to the line break, not to the JSON text.
        if self.format == .lines, record.bytes.last == .carriageReturn { record.bytes.removeLast() }
        return record
    }

    mutating func discard() { self.bytes = Data() }

    private func check(_ additionalByteCount: Int, last: UInt8?) throws(RecordViolation) {
        // A CR at the end may belong to the line break.
        let isBreak = self.format == .lines && (last ?? self.bytes.last) == .carriageReturn
        guard self.bytes.count + additionalByteCount - (isBreak ? 1 : 0) > self.maximumByteCount else { return }
        throw .tooLong(limit: self.maximumByteCount, number: self.number, offset: self.offset)
    }
}
