// SPDX-License-Identifier: Apache-2.0
@_spi(CrossModuleInlining) import TernFields

/// Decodes the field blocks of one connection (RFC 7541), each as a whole and in order.
///
/// Decode the blocks of discarded messages, too, because later blocks may refer to their fields. A violation that makes a message
/// malformed is recorded in ``FieldLines``. An error that the decoder throws ends the connection.
package struct HPACKDecoder: Sendable {
    /// The maximum number of size updates at the beginning of a block: "the smallest maximum table size that occurs in that
    /// interval" and "the final maximum size" (RFC 7541 §4.2).
    static let maximumSizeUpdateCount = 2
    /// The number of lines that a repeatable block may add to the table; this bounds the memory of a connection.
    static let maximumRepeatedInsertionCount = 64

    private struct Insertion: Sendable {
        var line: Range<Int>
        var nameByteCount: Int
        var traits: FieldTraits
    }

    private(set) var table: HPACKDynamicTable
    /// The lines of the last block that were added; one line more than ``maximumRepeatedInsertionCount`` at most.
    private var insertions: [Insertion] = []
    /// Whether the last block refers to entries of the table, or changes its size.
    private var dependsOnTable = false
    /// The largest size of the table that the client's SETTINGS_HEADER_TABLE_SIZE allows, in bytes.
    private let largestTableByteCount: Int
    private let staticTable = HPACKStaticTable.shared
    private let huffman = HuffmanCode.shared

    package init(maximumTableByteCount: Int = 4096) {
        self.largestTableByteCount = maximumTableByteCount
        self.table = HPACKDynamicTable(maximumByteCount: maximumTableByteCount)
    }

    /// Appends the fields of a whole block; after an error, the decoder cannot be used.
    package mutating func decode(_ block: RawSpan, into lines: inout FieldLines) throws(HTTP2Violation) {
        try block.withUnsafeBytes { (bytes) throws(HTTP2Violation) in
            try self.decode(ByteView(bytes), into: &lines)
        }
    }

    mutating func decode(_ block: ByteView, into lines: inout FieldLines) throws(HTTP2Violation) {
        var offset = 0
        self.insertions.removeAll(keepingCapacity: true)
        self.dependsOnTable = false
        try self.updateTableSize(block, &offset)
        while offset < block.count {
            let first = block[offset]
            if first & 0x80 != 0 {
                let index = try HPACKInteger.decode(block, &offset, prefixBitCount: 7)
                try self.appendIndexed(index, to: &lines)
            } else if first & 0x40 != 0 {
                try self.appendLiteral(block, &offset, prefixBitCount: 6, isInserted: true, to: &lines)
            } else if first & 0x20 != 0 {
                // "This dynamic table size update MUST occur at the beginning of the first header block" (§4.2).
                throw .misplacedTableSizeUpdate
            } else {
                try self.appendLiteral(block, &offset, prefixBitCount: 4, isInserted: false, to: &lines)
            }
        }
    }

    private mutating func updateTableSize(_ block: ByteView, _ offset: inout Int) throws(HTTP2Violation) {
        var count = 0
        while offset < block.count, block[offset] & 0xE0 == 0x20 {
            count += 1
            self.dependsOnTable = true
            guard count <= Self.maximumSizeUpdateCount else { throw .misplacedTableSizeUpdate }
            let byteCount = try HPACKInteger.decode(block, &offset, prefixBitCount: 5)
            // "The new maximum size MUST be lower than or equal to the limit determined by the protocol using HPACK"
            // (§6.3).
            guard byteCount <= self.largestTableByteCount else { throw .tableSizeUpdateTooLarge }
            self.table.resize(to: byteCount)
        }
    }

    /// Whether decoding the last block again would have the same result, if no other block comes between.
    var isLastBlockRepeatable: Bool {
        guard !self.insertions.isEmpty else { return true }
        return !self.dependsOnTable && self.insertions.count <= Self.maximumRepeatedInsertionCount
    }

    /// Changes the table as the last block, which was decoded to `lines` without a fault, has changed it.
    mutating func repeatLastBlock(from lines: FieldLines) {
        for insertion in self.insertions {
            lines.withBytes(insertion.line) {
                self.table.insert(line: $0, nameByteCount: insertion.nameByteCount, traits: insertion.traits)
            }
        }
    }

    @inline(__always)
    private mutating func appendIndexed(_ index: Int, to lines: inout FieldLines) throws(HTTP2Violation) {
        if index > HPACKStaticTable.count {
            self.dependsOnTable = true
            let place = index - HPACKStaticTable.count - 1
            guard place < self.table.count else { throw .invalidFieldIndex }
            let entry = self.table[place]
            try self.table.withLine(of: entry) { (line) throws(HTTP2Violation) in
                try lines.append(line: line, nameByteCount: entry.nameByteCount, traits: entry.traits)
            }
        } else {
            // "The index value of 0 is not used. It MUST be treated as a decoding error" (§6.1).
            guard index > 0 else { throw .invalidFieldIndex }
            let entry = self.staticTable[index]
            try self.staticTable.lines.withUnsafeBufferPointer { (all) throws(HTTP2Violation) in
                let line = UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: all[entry.line]))
                try lines.append(line: line, nameByteCount: entry.nameByteCount, traits: entry.traits)
            }
        }
    }

    private mutating func appendLiteral(
        _ block: ByteView,
        _ offset: inout Int,
        prefixBitCount: Int,
        isInserted: Bool,
        to lines: inout FieldLines
    ) throws(HTTP2Violation) {
        let index = try HPACKInteger.decode(block, &offset, prefixBitCount: prefixBitCount)
        let name = try self.writeName(index, block, &offset, to: &lines)
        let valueByteCount = try self.writeString(block, &offset, at: name.byteCount + 1, end: "\n", to: &lines)
        let lineByteCount = name.byteCount + valueByteCount + 2
        let traits = lines.withLine(lineByteCount) { line in
            name.traits.union(FieldTraits(value: name.byteCount + 1..<lineByteCount - 1, in: ByteView(line)))
        }
        if isInserted {
            lines.withLine(lineByteCount) {
                self.table.insert(line: $0, nameByteCount: name.byteCount, traits: traits)
            }
            if self.insertions.count <= Self.maximumRepeatedInsertionCount {
                let line = lines.end..<lines.end + lineByteCount
                self.insertions.append(Insertion(line: line, nameByteCount: name.byteCount, traits: traits))
            }
        }
        try lines.finishLine(byteCount: lineByteCount, nameByteCount: name.byteCount, traits: traits)
    }

    private mutating func writeName(
        _ index: Int,
        _ block: ByteView,
        _ offset: inout Int,
        to lines: inout FieldLines
    ) throws(HTTP2Violation) -> (byteCount: Int, traits: FieldTraits) {
        if index > HPACKStaticTable.count {
            self.dependsOnTable = true
            let place = index - HPACKStaticTable.count - 1
            guard place < self.table.count else { throw .invalidFieldIndex }
            let entry = self.table[place]
            try self.table.withLine(of: entry) { (line) throws(HTTP2Violation) in
                try Self.copy(line.prefix(entry.nameByteCount + 1), to: &lines)
            }
            return (entry.nameByteCount, entry.traits.ofName)
        }
        if index > 0 {
            let entry = self.staticTable[index]
            try self.staticTable.lines.withUnsafeBufferPointer { (all) throws(HTTP2Violation) in
                let line = UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: all[entry.line]))
                try Self.copy(line.prefix(entry.nameByteCount + 1), to: &lines)
            }
            return (entry.nameByteCount, entry.traits)
        }
        let byteCount = try self.writeString(block, &offset, at: 0, end: ":", to: &lines)
        let traits = lines.withLine(byteCount) { FieldTraits(name: 0..<byteCount, in: ByteView($0)) }
        return (byteCount, traits)
    }

    private static func copy(
        _ bytes: Slice<UnsafeRawBufferPointer>,
        to lines: inout FieldLines
    ) throws(HTTP2Violation) {
        _ = try lines.write(at: 0, room: bytes.count) { (room) throws(HTTP2Violation) -> Int in
            room.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes))
            return bytes.count
        }
    }

    /// Writes a string (RFC 7541 §5.2) and the byte `end`, and returns the length of the string.
    private func writeString(
        _ block: ByteView,
        _ offset: inout Int,
        at place: Int,
        end: Unicode.Scalar,
        to lines: inout FieldLines
    ) throws(HTTP2Violation) -> Int {
        guard offset < block.count else { throw .truncatedFieldBlock }
        let isHuffmanCoded = block[offset] & 0x80 != 0
        let byteCount = try HPACKInteger.decode(block, &offset, prefixBitCount: 7)
        guard byteCount <= block.count - offset else { throw .truncatedFieldBlock }
        let bytes = block.part(offset..<offset + byteCount)
        offset += byteCount
        let room = isHuffmanCoded ? HuffmanCode.decodedByteCountUpperBound(byteCount) : byteCount
        return try lines.write(at: place, room: room + 1) { (output) throws(HTTP2Violation) -> Int in
            let written: Int
            if isHuffmanCoded {
                let target = UnsafeMutableRawBufferPointer(rebasing: output[..<room])
                written = try self.huffman.decode(bytes, into: target)
            } else {
                output.copyMemory(from: bytes)
                written = byteCount
            }
            output[written] = UInt8(ascii: end)
            return written
        }
    }
}
