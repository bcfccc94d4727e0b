// SPDX-License-Identifier: Apache-2.0
@_spi(CrossModuleInlining) import TernFields

/// The fields of the last block that the encoder took from its tables, with the bytes that it sent for them.
///
/// Most requests on a connection have the same fields in the same order. For a field that has the same place as in the last
/// block, one comparison replaces the look-up in the tables.
///
/// The bytes refer to places in the dynamic table. They are valid until the table changes.
struct EncodedFields: Sendable {
    /// The limit for the names, values and encoded bytes of all fields together, in bytes.
    static let maximumByteCount = 1024

    private struct Field: Sendable {
        var start: Int
        var nameByteCount: Int
        var valueByteCount: Int
        var encodedByteCount: Int

        var end: Int { self.start + self.nameByteCount + self.valueByteCount + self.encodedByteCount }
    }

    private var fields: [Field] = []
    /// The name, the value and the encoded bytes of each field, one field after the other.
    private var bytes: [UInt8] = []
    /// The place in `fields` of the field that the next one is compared with.
    private var place = 0

    /// The memory that the fields take, in bytes.
    var byteCount: Int { self.bytes.count }

    /// Prepares for the first field of a block.
    mutating func beginBlock() { self.place = 0 }

    /// Forgets all fields, because the table has changed.
    mutating func removeAll() {
        self.fields.removeAll(keepingCapacity: true)
        self.bytes.removeAll(keepingCapacity: true)
        self.place = 0
    }

    /// Appends the encoded bytes of a field to `output`, if the last block had this field in the same place.
    ///
    /// - Returns: `false` if nothing was appended.
    mutating func encode(name: ByteView, value: ByteView, into output: inout [UInt8]) -> Bool {
        guard self.place < self.fields.count else { return false }
        let field = self.fields[self.place]
        let isSame = self.bytes.withUnsafeBytes { bytes in
            let valueStart = field.start + field.nameByteCount
            let encodedStart = valueStart + field.valueByteCount
            guard value.equals(UnsafeRawBufferPointer(rebasing: bytes[valueStart..<encodedStart])),
                name.equals(UnsafeRawBufferPointer(rebasing: bytes[field.start..<valueStart]))
            else { return false }
            output.append(contentsOf: bytes[encodedStart..<field.end])
            return true
        }
        if isSame { self.place += 1 }
        return isSame
    }

    /// Adds a field, in place of those of the last block that have not been compared.
    mutating func append(name: ByteView, value: ByteView, encoded: ArraySlice<UInt8>) {
        if self.place < self.fields.count {
            self.bytes.removeSubrange(self.fields[self.place].start...)
            self.fields.removeSubrange(self.place...)
        }
        guard self.bytes.count + name.count + value.count + encoded.count <= Self.maximumByteCount else { return }
        self.fields.append(
            Field(
                start: self.bytes.count,
                nameByteCount: name.count,
                valueByteCount: value.count,
                encodedByteCount: encoded.count
            )
        )
        self.bytes.append(contentsOf: name.part(0..<name.count))
        self.bytes.append(contentsOf: value.part(0..<value.count))
        self.bytes.append(contentsOf: encoded)
        self.place += 1
    }
}
