// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// Memory for a long body whose length was announced.
///
/// It is reserved as addresses only. The system provides a page when the first byte is written to it, so a server that
/// announces much uses at most one page more than it sends. The pages are large where the system has large ones (transparent huge
/// pages): with pages of 4 KiB, providing them takes more time than receiving the bytes.
final class BodyMemory {
    /// The length from which on the memory is worth its system calls.
    static let minimumByteCount = 4 << 20
    /// The size of a large page on most machines.
    ///
    /// On other machines, the pages are smaller or larger, and only fewer of them are large.
    private static let largePageByteCount = 2 << 20

    private let mapping: UnsafeMutableRawBufferPointer
    private let storage: UnsafeMutableRawBufferPointer
    private var byteCount = 0

    /// Reserves memory; `nil` if there is no length, if the body is short, or if the system does not reserve so much.
    ///
    /// - Parameter byteCount: The announced length; `nil` if none was announced.
    init?(announced byteCount: Int64?) {
        guard let byteCount = byteCount.flatMap(Int.init(exactly:)), byteCount >= Self.minimumByteCount else {
            return nil
        }
        let (mappedByteCount, overflows) = byteCount.addingReportingOverflow(Self.largePageByteCount)
        let flags = MAP_PRIVATE | CInt(MAP_ANONYMOUS) | CInt(MAP_NORESERVE)
        guard !overflows, let start = mmap(nil, mappedByteCount, PROT_READ | PROT_WRITE, flags, -1, 0),
            start != MAP_FAILED
        else { return nil }
        self.mapping = UnsafeMutableRawBufferPointer(start: start, count: mappedByteCount)
        self.storage = UnsafeMutableRawBufferPointer(
            start: start.alignedUp(toMultipleOf: Self.largePageByteCount),
            count: byteCount
        )
        madvise(start, mappedByteCount, CInt(MADV_HUGEPAGE))  // only advice; a system without large pages refuses it
    }

    deinit { munmap(self.mapping.baseAddress, self.mapping.count) }

    /// Adds bytes at the end; returns `false`, and adds nothing, if there is not enough room.
    func append(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count <= self.storage.count - self.byteCount else { return false }
        self.storage[self.byteCount...].copyBytes(from: bytes)
        self.byteCount += bytes.count
        return true
    }

    /// Returns the bytes, without copying them; adds nothing from then on.
    ///
    /// The memory belongs to the data, and is released with its last copy.
    func finish() -> Data {
        guard let start = self.storage.baseAddress, self.byteCount > 0 else { return Data() }
        return Data(bytesNoCopy: start, count: self.byteCount, deallocator: .custom { _, _ in _ = self })
    }
}
#endif
