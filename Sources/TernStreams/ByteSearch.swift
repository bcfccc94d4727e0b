// SPDX-License-Identifier: Apache-2.0
import TernCLibrary

/// Searches for bytes; the system's `memchr` is the only function that this module takes from the C library.
enum ByteSearch {
    /// Returns the offset of the first `byte` in `bytes` at or after `start`; the count of `bytes` if there is none.
    static func firstOffset(of byte: UInt8, in bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
        guard start < bytes.count, let base = bytes.baseAddress else { return bytes.count }
        guard let found = memchr(base + start, Int32(byte), bytes.count - start) else { return bytes.count }
        return UnsafeRawPointer(found) - base
    }

    /// Returns the offset of the first byte above 127 in `bytes` at or after `start`; the count of `bytes` if there is none.
    static func firstNonASCIIOffset(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
        let highBits: UInt64 = 0x8080_8080_8080_8080
        var offset = start
        while bytes.count &- offset >= 32 {
            let words = bytes.loadUnaligned(fromByteOffset: offset, as: SIMD4<UInt64>.self)
            if (words[0] | words[1] | words[2] | words[3]) & highBits != 0 { break }
            offset &+= 32
        }
        while bytes.count &- offset >= 8 {
            let found = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)) & highBits
            if found != 0 { return offset &+ found.trailingZeroBitCount / 8 }
            offset &+= 8
        }
        while offset < bytes.count, bytes[offset] < 0x80 { offset &+= 1 }
        return max(offset, min(start, bytes.count))
    }
}
