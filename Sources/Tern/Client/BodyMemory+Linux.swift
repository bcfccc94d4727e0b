// SPDX-License-Identifier: Apache-2.0
// Compiled and run on Linux with glibc; never compiled with musl.

#if os(Linux)
import TernCLibrary
import TernFoundation

/// Memory for a long body, of which only addresses are reserved at first; the system provides a page when it is written.
///
/// The pages are large where possible: providing pages of 4 KiB takes more time than receiving the bytes.
final class BodyMemory {
    /// The size of a large page on most machines; with another size, fewer pages are large.
    private static let largePageByteCount = 2 << 20

    private var mapping: UnsafeMutableRawBufferPointer
    private var storage: UnsafeMutableRawBufferPointer
    private let maximumByteCount: Int
    private var byteCount = 0

    /// Reserves addresses; `nil` if the system does not reserve so many.
    init?(maximumByteCount: Int) {
        let (mappedByteCount, overflows) = maximumByteCount.addingReportingOverflow(2 * Self.largePageByteCount)
        guard maximumByteCount >= 0, !overflows,
            let start = mmap(nil, mappedByteCount, PROT_NONE, MAP_PRIVATE | CInt(MAP_ANONYMOUS), -1, 0),
            start != MAP_FAILED
        else { return nil }
        self.mapping = UnsafeMutableRawBufferPointer(start: start, count: mappedByteCount)
        let first = start.alignedUp(toMultipleOf: Self.largePageByteCount)
        self.storage = UnsafeMutableRawBufferPointer(start: first, count: 0)
        self.maximumByteCount = maximumByteCount
        madvise(start, mappedByteCount, CInt(MADV_HUGEPAGE))  // only advice; a system without large pages refuses it
    }

    deinit { munmap(self.mapping.baseAddress, self.mapping.count) }

    /// Adds bytes at the end; returns `false`, and adds nothing, if there is not enough room.
    func append(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count <= self.maximumByteCount - self.byteCount else { return false }
        let newByteCount = self.byteCount + bytes.count
        guard newByteCount <= self.storage.count || self.grow(toHold: newByteCount) else { return false }
        self.storage[self.byteCount...].copyBytes(from: bytes)
        self.byteCount = newByteCount
        return true
    }

    /// Makes twice the needed addresses usable, not all: some systems count usable memory before it is used.
    private func grow(toHold byteCount: Int) -> Bool {
        guard let start = self.storage.baseAddress else { return false }
        let wanted = min(self.maximumByteCount, 2 * byteCount) + Self.largePageByteCount - 1
        let usableByteCount = wanted - wanted % Self.largePageByteCount
        guard mprotect(start, usableByteCount, PROT_READ | PROT_WRITE) == 0 else { return false }
        self.storage = UnsafeMutableRawBufferPointer(start: start, count: usableByteCount)
        return true
    }

    /// Returns the bytes without copying them; the data then owns the memory, so add nothing after that.
    func finish() -> Data {
        guard let start = self.storage.baseAddress, self.byteCount > 0 else { return Data() }
        let end = (start + self.byteCount).alignedUp(toMultipleOf: Self.largePageByteCount)
        if let first = self.mapping.baseAddress, munmap(end, first + self.mapping.count - end) == 0 {
            self.mapping = UnsafeMutableRawBufferPointer(start: first, count: end - first)
        }
        return Data(
            bytesNoCopy: start,
            count: self.byteCount,
            deallocator: .custom { _, _ in withExtendedLifetime(self) {} }
        )
    }
}
#endif
