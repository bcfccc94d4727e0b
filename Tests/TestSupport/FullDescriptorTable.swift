// SPDX-License-Identifier: Apache-2.0
import TernCLibrary

/// Occupies every file descriptor that this process may have; for a separate process, because other tests need some.
public final class FullDescriptorTable {
    public struct Failure: Error {
        public let errno: CInt
    }

    /// Few enough to occupy them all.
    private static let spareCount: UInt64 = 300

    private var taken: [CInt] = []
    private let freeCount: Int

    /// Lowers the limit, and occupies the free descriptors below the new limit.
    ///
    /// - Parameter freeCount: The number of descriptors that stay free, with the highest numbers. Where work goes on while the
    ///   table is full, some must: Dispatch opens files when its threads are busy for long, and ends the process if it cannot.
    /// - Throws: ``Failure``.
    public init(freeCount: Int = 0) throws(Failure) {
        self.freeCount = freeCount
        let limit = CLibrary.ResourceLimit.descriptors
        let before = limit.value ?? 0
        let failure = limit.change(to: min(before, Self.highest(below: before) + Self.spareCount))
        guard failure == 0 else { throw Failure(errno: failure) }
        let last = self.fill()
        guard last == EMFILE else { throw Failure(errno: last) }
    }

    deinit { for descriptor in self.taken { close(descriptor) } }

    /// The limit must be above this descriptor, so that it also applies to one that replaces a closed descriptor.
    private static func highest(below limit: UInt64) -> UInt64 {
        // If the limit is very high, the search covers only the lowest descriptors, which the system uses first.
        (0..<min(limit, 50_000)).reversed().first { fcntl(CInt($0), F_GETFD) != -1 } ?? 0
    }

    /// Occupies the descriptors that have become free; returns the error for the first that could not be opened.
    @discardableResult
    public func fill() -> CInt {
        while true {
            let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { break }
            self.taken.append(descriptor)
        }
        let last = errno
        // The system gives the lowest number that is free, so the last ones are the highest.
        for descriptor in self.taken.suffix(self.freeCount) { close(descriptor) }
        self.taken.removeLast(min(self.freeCount, self.taken.count))
        return last
    }
}

@available(*, unavailable)
extension FullDescriptorTable: Sendable {}
