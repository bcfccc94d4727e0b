// SPDX-License-Identifier: Apache-2.0
@_spi(CrossModuleInlining) import TernFields

/// Encodes the field blocks of one connection (RFC 7541), to be sent in this order.
package struct HPACKEncoder: Sendable {
    /// The way to encode a field; if the field is in a table, the encoder refers to it there, except with ``never``.
    package enum Indexing: Sendable {
        /// Adds the field to the table, unless it is too long, or in a table already (RFC 7541 §6.2.1).
        case incremental
        /// Does not add the field to the table (RFC 7541 §6.2.2).
        case none
        /// Forbids intermediaries to add the field to their tables, too (RFC 7541 §6.2.3), so that the length of a block tells an
        /// attacker nothing about a secret (§7.1.3).
        case never
    }

    private var table: HPACKDynamicTable
    private var repeated = RepeatedFields()
    private let wantedTableByteCount: Int
    /// The smallest and the last size that server and client allow since the last block; `nil` if no limit was set since then.
    private var sizeChange: (smallest: Int, last: Int)?
    private let staticTable = HPACKStaticTable.shared
    private let huffman = HuffmanCode.shared

    /// Creates an encoder, whose table has at most 4096 bytes until the server allows more.
    package init(maximumTableByteCount: Int = 4096) {
        self.wantedTableByteCount = maximumTableByteCount
        self.table = HPACKDynamicTable(maximumByteCount: 4096)
        if maximumTableByteCount < 4096 { self.sizeChange = (maximumTableByteCount, maximumTableByteCount) }
    }

    var tableByteCount: Int { self.table.maximumByteCount }

    package mutating func peerAllows(tableByteCount: Int) {
        let byteCount = min(tableByteCount, self.wantedTableByteCount)
        let smallest = min(self.sizeChange?.smallest ?? self.table.maximumByteCount, byteCount)
        self.sizeChange = (smallest, byteCount)
    }

    /// Begins a block, with the new size of the table if it has changed: "the smallest maximum table size that occurs in that
    /// interval MUST be signaled in a dynamic table size update" (RFC 7541 §4.2), and the final size always.
    package mutating func beginBlock(into output: inout [UInt8]) {
        self.repeated.beginBlock()
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
        self.repeated.removeAll()
    }

    /// Appends a field, whose name is in lower case.
    package mutating func encode(
        name: UnsafeRawBufferPointer,
        value: UnsafeRawBufferPointer,
        _ indexing: Indexing,
        into output: inout [UInt8]
    ) {
        let (name, value) = (ByteView(name), ByteView(value))
        // A field that is not added to the table has another value in most requests, or is secret.
        guard indexing == .incremental else { return _ = self.encode(name, value, indexing, into: &output) }
        if let index = self.repeated.index(ofName: name, value: value) {
            return HPACKInteger.encode(index, prefixBitCount: 7, pattern: 0x80, into: &output)
        }
        let changeCount = self.table.changeCount
        let index = self.encode(name, value, indexing, into: &output)
        if let index { self.repeated.append(name: name, value: value, index: index) }
        if self.table.changeCount != changeCount { self.repeated.removeAll() }
    }

    /// Appends a field, and returns its index; `nil` if it was not in a table.
    private mutating func encode(
        _ name: ByteView,
        _ value: ByteView,
        _ indexing: Indexing,
        into output: inout [UInt8]
    ) -> Int? {
        let nameHash = HPACKHash.of(name)
        let staticName = self.staticTable.index(ofName: name, hash: nameHash)
        // Do not look up the value of a secret field in the tables: a reference to an entry would not mark the field as
        // secret. RFC 7541 §7.1.3 protects only the literal: "An intermediary MUST NOT re-encode a value that uses the
        // never-indexed literal representation with another representation".
        let hash = nameHash &* 31 &+ HPACKHash.of(value)
        if indexing != .never {
            if staticName > 0 {
                let index = self.staticTable.index(ofValue: value, fromName: staticName)
                if index > 0 {
                    HPACKInteger.encode(index, prefixBitCount: 7, pattern: 0x80, into: &output)
                    return index
                }
            }
            if let place = self.table.place(ofName: name, value: value, hash: hash) {
                let index = place + HPACKStaticTable.count + 1
                HPACKInteger.encode(index, prefixBitCount: 7, pattern: 0x80, into: &output)
                return index
            }
        }
        // Do not add an entry that would take most of the table and evict all other entries. nghttp2 does the same.
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
        return nil
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

    /// Appends a string in the Huffman code, if that is shorter (RFC 7541 §5.2).
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
