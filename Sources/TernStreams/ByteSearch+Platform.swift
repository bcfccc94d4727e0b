// SPDX-License-Identifier: Apache-2.0
#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Bionic)
import Bionic
#elseif canImport(WASILibc)
import WASILibc
#endif

/// The system's vectorized search for a byte.
///
/// The search is a pure function, `memchr`, and the only one that this module takes from the platform.
enum ByteSearch {
    /// Returns the offset of the first `byte` in `bytes` at or after `start`; the count of `bytes` if there is none.
    static func firstOffset(of byte: UInt8, in bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
        guard start < bytes.count, let base = bytes.baseAddress else { return bytes.count }
        guard let found = memchr(base + start, Int32(byte), bytes.count - start) else { return bytes.count }
        return UnsafeRawPointer(found) - base
    }
}
