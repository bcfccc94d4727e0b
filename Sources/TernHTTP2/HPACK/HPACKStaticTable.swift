// SPDX-License-Identifier: Apache-2.0
@_spi(CrossModuleInlining) import TernFields

/// The static table of HPACK: fields that client and server know in advance (RFC 7541 §2.3.1).
struct HPACKStaticTable: Sendable {
    static let shared = HPACKStaticTable()
    /// The number of entries, after which the indices of the dynamic table begin.
    static let count = 61

    struct Entry: Sendable {
        var line: Range<Int>
        var nameByteCount: Int
        var traits: FieldTraits
    }

    /// All entries, each as a line `name:value` and LF, which the decoder copies.
    let lines: [UInt8]
    private let entries: [Entry]
    /// A hash table with the lowest index of each name; 0 marks a free place.
    private let indices: [UInt8]

    private init() {
        var (lines, entries): ([UInt8], [Entry]) = ([], [])
        for (name, value) in Self.fields {
            let start = lines.count
            lines += name.utf8
            lines.append(UInt8(ascii: ":"))
            lines += value.utf8
            lines.append(UInt8(ascii: "\n"))
            let traits = lines.withUnsafeBytes { FieldTraits(name: start..<start + name.utf8.count, in: ByteView($0)) }
            entries.append(Entry(line: start..<lines.count, nameByteCount: name.utf8.count, traits: traits))
        }
        var indices = [UInt8](repeating: 0, count: 128)
        for (place, (name, _)) in Self.fields.enumerated() where place == 0 || Self.fields[place - 1].name != name {
            let hash = Array(name.utf8).withUnsafeBytes { HPACKHash.of(ByteView($0)) }
            var slot = Int(hash & 127)
            while indices[slot] != 0 { slot = (slot + 1) & 127 }
            indices[slot] = UInt8(place + 1)
        }
        (self.lines, self.entries, self.indices) = (lines, entries, indices)
    }

    subscript(index: Int) -> Entry { self.entries[index - 1] }

    /// Returns the lowest index of a name; 0 if the table does not have it.
    func index(ofName name: ByteView, hash: UInt32) -> Int {
        var slot = Int(hash & 127)
        while self.indices[slot] != 0 {
            let index = Int(self.indices[slot])
            if self.name(of: index, equals: name) { return index }
            slot = (slot + 1) & 127
        }
        return 0
    }

    /// Returns the index of a field, whose name has the lowest index `first`; 0 if the table has only other values.
    func index(ofValue value: ByteView, fromName first: Int) -> Int {
        var index = first
        while index <= Self.count, index == first || Self.haveSameName(first, index, self) {
            let entry = self[index]
            let range = entry.line.lowerBound + entry.nameByteCount + 1..<entry.line.upperBound - 1
            let isEqual = self.lines.withUnsafeBytes { lines in
                value.equals(UnsafeRawBufferPointer(rebasing: lines[range]))
            }
            if isEqual { return index }
            index += 1
        }
        return 0
    }

    private static func haveSameName(_ one: Int, _ other: Int, _ table: HPACKStaticTable) -> Bool {
        let (one, other) = (table[one], table[other])
        return one.nameByteCount == other.nameByteCount
            && table.lines[one.line.prefix(one.nameByteCount)] == table.lines[other.line.prefix(other.nameByteCount)]
    }

    private func name(of index: Int, equals name: ByteView) -> Bool {
        let entry = self[index]
        guard entry.nameByteCount == name.count else { return false }
        return self.lines.withUnsafeBytes { lines in
            name.equals(UnsafeRawBufferPointer(rebasing: lines[entry.line.prefix(name.count)]))
        }
    }
}

/// The hash function with which the encoder finds table entries; a collision only costs time.
enum HPACKHash {
    static func of(_ bytes: ByteView) -> UInt32 {
        var (hash, offset): (UInt64, Int) = (UInt64(truncatingIfNeeded: bytes.count), 0)
        while offset + 8 <= bytes.count {
            hash = Self.mix(hash, bytes.word(at: offset))
            offset += 8
        }
        var rest: UInt64 = 0
        while offset < bytes.count {
            rest = rest << 8 | UInt64(bytes[offset])
            offset += 1
        }
        hash = Self.mix(hash, rest)
        return UInt32(truncatingIfNeeded: hash >> 32)
    }

    @inline(__always)
    private static func mix(_ hash: UInt64, _ word: UInt64) -> UInt64 {
        let product = (hash ^ word) &* 0x9E37_79B9_7F4A_7C15
        return product ^ product >> 29
    }
}
