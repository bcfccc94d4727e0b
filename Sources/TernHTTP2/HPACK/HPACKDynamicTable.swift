// SPDX-License-Identifier: Apache-2.0
@_spi(CrossModuleInlining) import TernFields

/// The dynamic table of HPACK: fields of earlier blocks, newest first (RFC 7541 §2.3.2 and §4).
///
/// The fields are lines in one buffer, which may be twice as large as a full table, so that lines rarely move.
struct HPACKDynamicTable: Sendable {
    struct Entry: Sendable {
        /// The offset at which the entry's line, `name:value` and LF, begins.
        fileprivate(set) var offset: Int
        let lineByteCount: Int
        let nameByteCount: Int
        let traits: FieldTraits
        /// The hash of name and value, by which an encoder finds the field; 0 in a decoder's table.
        let hash: UInt32
        let nameHash: UInt32

        /// "The size of an entry is the sum of its name's length in octets, its value's length in octets, and 32" (RFC 7541 §4.1).
        var byteCount: Int { self.lineByteCount + 30 }
    }

    /// The limit of the table's size, in bytes as RFC 7541 §4.1 counts them.
    private(set) var maximumByteCount: Int
    private(set) var byteCount = 0
    private var bytes: [UInt8] = []
    private var bytesEnd = 0
    /// The entries, oldest first, of which the first `evictedCount` are no longer in the table.
    private var entries: [Entry] = []
    private var evictedCount = 0
    /// The number of times that an entry was added or the size was set.
    private(set) var changeCount = 0

    init(maximumByteCount: Int) { self.maximumByteCount = maximumByteCount }

    var count: Int { self.entries.count - self.evictedCount }

    var roomByteCount: Int { self.bytes.count }

    /// Returns the entry at a place, from 0 for the newest one.
    subscript(place: Int) -> Entry { self.entries[self.entries.count - 1 - place] }

    @inline(__always)
    func withLine<Result>(
        of entry: Entry,
        _ body: (UnsafeRawBufferPointer) throws(HTTP2Violation) -> Result
    ) throws(HTTP2Violation) -> Result {
        try self.bytes.withUnsafeBufferPointer { (bytes) throws(HTTP2Violation) -> Result in
            let line = bytes[entry.offset..<entry.offset + entry.lineByteCount]
            return try body(UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: line)))
        }
    }

    /// Adds an entry, and evicts old ones (RFC 7541 §4.4): "An attempt to add an entry larger than the maximum size causes the
    /// table to be emptied of all existing entries".
    mutating func insert(
        line: UnsafeRawBufferPointer,
        nameByteCount: Int,
        traits: FieldTraits = [],
        hash: UInt32 = 0,
        nameHash: UInt32 = 0
    ) {
        self.changeCount &+= 1
        self.evict(to: self.maximumByteCount - line.count - 30)
        guard line.count + 30 <= self.maximumByteCount else { return }
        self.makeRoom(line.count)
        self.bytes.withUnsafeMutableBytes { bytes in
            UnsafeMutableRawBufferPointer(rebasing: bytes[self.bytesEnd...]).copyMemory(from: line)
        }
        let entry = Entry(
            offset: self.bytesEnd,
            lineByteCount: line.count,
            nameByteCount: nameByteCount,
            traits: traits,
            hash: hash,
            nameHash: nameHash
        )
        self.entries.append(entry)
        self.bytesEnd += line.count
        self.byteCount += entry.byteCount
    }

    mutating func resize(to byteCount: Int) {
        self.changeCount &+= 1
        self.maximumByteCount = byteCount
        self.evict(to: byteCount)
    }

    private mutating func evict(to byteCount: Int) {
        while self.byteCount > max(0, byteCount), self.count > 0 {
            self.byteCount -= self.entries[self.evictedCount].byteCount
            self.evictedCount += 1
        }
        if self.count == 0 {
            self.entries.removeAll(keepingCapacity: true)
            (self.evictedCount, self.bytesEnd) = (0, 0)
        } else if self.evictedCount >= 64 {
            self.entries.removeSubrange(..<self.evictedCount)
            self.evictedCount = 0
        }
    }

    /// Moves the lines to the beginning of the buffer if there is no room, and enlarges it if they take more than half.
    private mutating func makeRoom(_ byteCount: Int) {
        guard self.bytesEnd + byteCount > self.bytes.count else { return }
        let first = self.count > 0 ? self.entries[self.evictedCount].offset : self.bytesEnd
        let usedByteCount = self.bytesEnd - first
        if usedByteCount + byteCount > self.bytes.count / 2 {
            let room = max(512, 2 * (usedByteCount + byteCount))
            self.bytes.append(contentsOf: repeatElement(0, count: max(0, room - self.bytes.count)))
        }
        guard first > 0 else { return }
        self.bytes.withUnsafeMutableBytes { bytes in
            let used = UnsafeRawBufferPointer(rebasing: bytes[first..<self.bytesEnd])
            UnsafeMutableRawBufferPointer(rebasing: bytes[..<usedByteCount]).copyMemory(from: used)
        }
        for place in self.evictedCount..<self.entries.count { self.entries[place].offset -= first }
        self.bytesEnd = usedByteCount
    }
}

// MARK: Lookup by the encoder

extension HPACKDynamicTable {
    func place(ofName name: ByteView, value: ByteView, hash: UInt32) -> Int? {
        var index = self.entries.count - 1
        while index >= self.evictedCount {
            let entry = self.entries[index]
            if entry.hash == hash, self.matches(entry, name: name, value: value) {
                return self.entries.count - 1 - index
            }
            index -= 1
        }
        return nil
    }

    /// Returns the place of the newest entry with this name; `nil` if there is none.
    func place(ofName name: ByteView, hash: UInt32) -> Int? {
        var index = self.entries.count - 1
        while index >= self.evictedCount {
            let entry = self.entries[index]
            if entry.nameHash == hash, self.matches(entry, name: name) { return self.entries.count - 1 - index }
            index -= 1
        }
        return nil
    }

    private func matches(_ entry: Entry, name: ByteView) -> Bool {
        guard entry.nameByteCount == name.count else { return false }
        return self.bytes.withUnsafeBytes { bytes in
            name.equals(UnsafeRawBufferPointer(rebasing: bytes[entry.offset..<entry.offset + name.count]))
        }
    }

    private func matches(_ entry: Entry, name: ByteView, value: ByteView) -> Bool {
        guard entry.lineByteCount == name.count + value.count + 2, self.matches(entry, name: name) else { return false }
        let start = entry.offset + name.count + 1
        return self.bytes.withUnsafeBytes { bytes in
            value.equals(UnsafeRawBufferPointer(rebasing: bytes[start..<start + value.count]))
        }
    }
}
