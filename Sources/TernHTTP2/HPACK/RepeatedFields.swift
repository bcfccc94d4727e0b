// SPDX-License-Identifier: Apache-2.0
@_spi(CrossModuleInlining) import TernFields

/// The fields of the last block that the encoder found in its tables, with their indices.
///
/// Most requests on a connection have the same fields in the same order, so that one comparison replaces the search. The indices
/// are valid until the dynamic table changes.
struct RepeatedFields: Sendable {
    /// The limit for the names and values of all fields together, in bytes.
    static let maximumByteCount = 1024

    private struct Field: Sendable {
        var start: Int
        var nameByteCount: Int
        var byteCount: Int
        var index: Int
    }

    private var fields: [Field] = []
    /// The name and the value of each field, one field after the other.
    private var bytes: [UInt8] = []
    /// The place in `fields` of the field that the next one is compared with.
    private var place = 0

    var byteCount: Int { self.bytes.count }

    mutating func beginBlock() { self.place = 0 }

    mutating func removeAll() {
        self.fields.removeAll(keepingCapacity: true)
        self.bytes.removeAll(keepingCapacity: true)
        self.place = 0
    }

    /// Returns the index of a field if the last block had it in the same place.
    mutating func index(ofName name: ByteView, value: ByteView) -> Int? {
        guard self.place < self.fields.count else { return nil }
        let field = self.fields[self.place]
        guard field.nameByteCount == name.count, field.byteCount == name.count + value.count else { return nil }
        let isSame = self.bytes.withUnsafeBytes { bytes in
            let middle = field.start + name.count
            return value.equals(UnsafeRawBufferPointer(rebasing: bytes[middle..<field.start + field.byteCount]))
                && name.equals(UnsafeRawBufferPointer(rebasing: bytes[field.start..<middle]))
        }
        guard isSame else { return nil }
        self.place += 1
        return field.index
    }

    /// Adds a field, in place of those of the last block that have not been compared.
    mutating func append(name: ByteView, value: ByteView, index: Int) {
        if self.place < self.fields.count {
            self.bytes.removeSubrange(self.fields[self.place].start...)
            self.fields.removeSubrange(self.place...)
        }
        let byteCount = name.count + value.count
        guard self.bytes.count + byteCount <= Self.maximumByteCount else { return }
        self.fields.append(
            Field(start: self.bytes.count, nameByteCount: name.count, byteCount: byteCount, index: index)
        )
        self.bytes.append(contentsOf: name.part(0..<name.count))
        self.bytes.append(contentsOf: value.part(0..<value.count))
        self.place += 1
    }
}
