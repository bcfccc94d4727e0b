// SPDX-License-Identifier: Apache-2.0
@_spi(CrossModuleInlining) import TernFields

/// Encodes the field blocks of one connection (RFC 7541).
///
/// Blocks must be sent in the order in which they were encoded.
package struct HPACKEncoder: Sendable {
    /// What becomes of a field that is not in a table yet.
    package enum Indexing: Sendable {
        /// It goes into the table, so that later blocks can refer to it (§6.2.1).
        case incremental
        /// It stays outside the table (§6.2.2).
        case none
        /// It stays outside the table, on every hop to the server (§6.2.3). Such a field cannot be guessed by an
        /// attacker who adds fields of the same connection and measures the length of blocks (§7.1.3).
        case never
    }

    private var table: HPACKDynamicTable
    /// The largest table that this side wants.
    private let wantedTableByteCount: Int
    /// The smallest and the last size that the peer allowed since the last block; `nil` if nothing changed.
    private var sizeChange: (smallest: Int, last: Int)?
    private let staticTable = HPACKStaticTable.shared
    private let huffman = HuffmanCode.shared

    /// Creates an encoder with an empty table.
    ///
    /// - Parameter maximumTableByteCount: The largest table that this side wants. Until the peer says otherwise, the
    ///   table is at most 4096 bytes.
    package init(maximumTableByteCount: Int = 4096) {
        self.wantedTableByteCount = maximumTableByteCount
        self.table = HPACKDynamicTable(maximumByteCount: 4096)
        if maximumTableByteCount < 4096 { self.sizeChange = (maximumTableByteCount, maximumTableByteCount) }
    }

    /// How long the table may be now.
    var tableByteCount: Int { self.table.maximumByteCount }

    /// The peer changed SETTINGS_HEADER_TABLE_SIZE.
    package mutating func peerAllows(tableByteCount: Int) {
        let byteCount = min(tableByteCount, self.wantedTableByteCount)
        let smallest = min(self.sizeChange?.smallest ?? self.table.maximumByteCount, byteCount)
        self.sizeChange = (smallest, byteCount)
    }

    /// Begins a block: tells the peer of a new size of the table, if there is one.
    ///
    /// "If this size is changed more than once […] the smallest maximum table size that occurs in that interval MUST be
    /// signaled in a dynamic table size update. The final maximum size is always signaled" (§4.2).
    package mutating func beginBlock(into output: inout [UInt8]) {
        guard let change = self.sizeChange else { return }
        self.sizeChange = nil
        if change.smallest < min(self.table.maximumByteCount, change.last) {
            self.resize(to: change.smallest, &output)
        }
        if change.last != self.table.maximumByteCount { self.resize(to: change.last, &output) }
    }

    private mutating func resize(to byteCount: Int, _ output: inout [UInt8]) {
        HPACKInteger.encode(byteCount, prefixBitCount: 5, pattern: 0x20, into: &output)
        self.table.resize(to: byteCount)
    }

    /// Appends a field.
    ///
    /// - Parameters:
    ///   - name: the name, in lower case.
    ///   - value: the value.
    ///   - indexing: what becomes of the field if it is in no table.
    ///   - output: where to append it.
    package mutating func encode(
        name: UnsafeRawBufferPointer,
        value: UnsafeRawBufferPointer,
        _ indexing: Indexing,
        into output: inout [UInt8]
    ) {
        let (name, value) = (ByteView(name), ByteView(value))
        let nameHash = HPACKHash.of(name)
        let staticName = self.staticTable.index(ofName: name, hash: nameHash)
        // §7.1.3: "An intermediary MUST NOT re-encode a value that uses the never-indexed literal representation with
        // another representation": so nothing that is secret is looked for in a table.
        let hash = nameHash &* 31 &+ HPACKHash.of(value)
        if indexing != .never {
            if staticName > 0 {
                let index = self.staticTable.index(ofValue: value, fromName: staticName)
                if index > 0 {
                    return HPACKInteger.encode(index, prefixBitCount: 7, pattern: 0x80, into: &output)
                }
            }
            if let place = self.table.place(ofName: name, value: value, hash: hash) {
                let index = place + HPACKStaticTable.count + 1
                return HPACKInteger.encode(index, prefixBitCount: 7, pattern: 0x80, into: &output)
            }
        }
        // An entry that takes most of the table would cost all the others their place. Precedent: nghttp2.
        let entryByteCount = name.count + value.count + 32
        let isInserted = indexing == .incremental && entryByteCount * 4 <= self.table.maximumByteCount * 3
        let (prefixBitCount, pattern): (Int, UInt8) = isInserted ? (6, 0x40) : (4, indexing == .never ? 0x10 : 0)
        var nameIndex = staticName
        if nameIndex == 0, let place = self.table.place(ofName: name, hash: nameHash) {
            nameIndex = place + HPACKStaticTable.count + 1
        }
        HPACKInteger.encode(nameIndex, prefixBitCount: prefixBitCount, pattern: pattern, into: &output)
        if nameIndex == 0 { self.append(string: name.part(0..<name.count), to: &output) }
        self.append(string: value.part(0..<value.count), to: &output)
        if isInserted { self.insert(name, value, hash: hash, nameHash: nameHash) }
    }

    private mutating func insert(_ name: ByteView, _ value: ByteView, hash: UInt32, nameHash: UInt32) {
        let byteCount = name.count + value.count + 2
        withUnsafeTemporaryAllocation(byteCount: byteCount, alignment: 1) { line in
            line.copyMemory(from: name.part(0..<name.count))
            line[name.count] = UInt8(ascii: ":")
            UnsafeMutableRawBufferPointer(rebasing: line[(name.count + 1)...]).copyMemory(
                from: value.part(0..<value.count)
            )
            line[byteCount - 1] = UInt8(ascii: "\n")
            self.table.insert(
                line: UnsafeRawBufferPointer(line),
                nameByteCount: name.count,
                hash: hash,
                nameHash: nameHash
            )
        }
    }

    /// Appends a string, in the Huffman code if that makes it shorter (§5.2).
    private func append(string: UnsafeRawBufferPointer, to output: inout [UInt8]) {
        let byteCount = self.huffman.encodedByteCount(string)
        if byteCount < string.count {
            HPACKInteger.encode(byteCount, prefixBitCount: 7, pattern: 0x80, into: &output)
            self.huffman.encode(string, byteCount: byteCount, into: &output)
        } else {
            HPACKInteger.encode(string.count, prefixBitCount: 7, pattern: 0, into: &output)
            output.append(contentsOf: string)
        }
    }
}
