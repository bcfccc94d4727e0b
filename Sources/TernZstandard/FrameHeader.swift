// SPDX-License-Identifier: Apache-2.0
import TernCompression

/// Checks the header of a frame (RFC 8878 §3.1) before the library reads it.
///
/// The library may accept formats from before version 1, and checks the window only if the frame arrives in pieces.
struct FrameHeader {
    private static let magicNumber: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD]
    /// The beginning of a frame to skip; its first byte can be 0x50 to 0x5F (RFC 8878 §3.1.2).
    private static let skippedMagicNumber: [UInt8] = [0x50, 0x2A, 0x4D, 0x18]
    /// The largest window that servers may use (RFC 9659 §3).
    static let maximumWindowByteCount: UInt64 = 8 << 20

    private var bytes: [UInt8] = []
    private var isChecked = false

    /// Returns the number of bytes that belong to the header.
    mutating func receive(_ input: RawSpan) throws(ContentViolation) -> Int {
        for index in input.byteOffsets {
            guard !self.isChecked else { return index }
            try self.receive(input.unsafeLoad(fromByteOffset: index, as: UInt8.self))
        }
        return input.byteCount
    }

    private mutating func receive(_ byte: UInt8) throws(ContentViolation) {
        self.bytes.append(byte)
        let isSkipped = self.bytes[0] & 0xF0 == 0x50
        if self.bytes.count <= 4 {
            let expected = (isSkipped ? Self.skippedMagicNumber : Self.magicNumber)[self.bytes.count - 1]
            let isExpected = byte == expected || (isSkipped && self.bytes.count == 1)
            guard isExpected else { throw .corrupt(message: "") }
            self.isChecked = isSkipped && self.bytes.count == 4
            return
        }
        guard self.bytes.count == self.byteCount else { return }
        self.isChecked = true
        if self.bytes[self.dictionaryRange].contains(where: { $0 != 0 }) {
            throw .corrupt(message: "it needs a dictionary, which the client does not have")
        }
        guard self.windowByteCount <= Self.maximumWindowByteCount else {
            throw .corrupt(message: "it needs a window of more than 8 MiB")
        }
    }

    private var descriptor: UInt8 { self.bytes[4] }

    /// RFC 8878 §3.1.1.1.1.2.
    private var isSingleSegment: Bool { self.descriptor & 0x20 != 0 }

    private var dictionaryRange: Range<Int> {
        let start = self.isSingleSegment ? 5 : 6
        return start..<start + [0, 1, 2, 4][Int(self.descriptor & 3)]
    }

    private var contentByteCountRange: Range<Int> {
        let start = self.dictionaryRange.upperBound
        return start..<start + [self.isSingleSegment ? 1 : 0, 2, 4, 8][Int(self.descriptor >> 6)]
    }

    private var byteCount: Int { self.contentByteCountRange.upperBound }

    private var windowByteCount: UInt64 {
        if self.isSingleSegment {
            let number = self.bytes[self.contentByteCountRange].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            return self.contentByteCountRange.count == 2 ? number + 256 : number
        }
        let base = UInt64(1) << (10 + UInt64(self.bytes[5] >> 3))
        return base + base / 8 * UInt64(self.bytes[5] & 7)
    }
}
