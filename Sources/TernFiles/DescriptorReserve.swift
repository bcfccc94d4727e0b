// SPDX-License-Identifier: Apache-2.0
import TernCLibrary

/// The descriptors that the client leaves to the rest of the process.
///
/// Other code may be unable to go on without a descriptor. On Linux, Dispatch opens a file in `/proc` to look at its
/// busy threads, and ends the process if it gets no descriptor. The system always assigns the lowest free number. So
/// a descriptor whose number is one of the last below the limit shows that few others are free: the client closes it
/// at once.
package struct DescriptorReserve: Hashable, Sendable {
    /// The number of descriptors in the reserve, unless the limit is high or very low.
    package static let minimumCount: UInt64 = 32
    /// The reserve is at least the limit of the process divided by this number.
    package static let divisor: UInt64 = 16

    /// The lowest number that belongs to the reserve.
    package let firstDescriptor: UInt64

    /// Creates the reserve of a process.
    ///
    /// - Parameter limit: The number of descriptors that the process may have: the soft limit `RLIMIT_NOFILE`.
    package init(limit: UInt64) {
        // At most half, so that a process with a very low limit still gets some connections.
        self.firstDescriptor = limit - min(max(Self.minimumCount, limit / Self.divisor), limit / 2)
    }

    /// The reserve of this process, which can change its limit at any time.
    package static var current: DescriptorReserve {
        DescriptorReserve(limit: CLibrary.ResourceLimit.descriptors.value ?? .max)
    }

    /// Returns whether a descriptor belongs to the reserve.
    package func contains(_ descriptor: CInt) -> Bool {
        UInt64(exactly: descriptor).map { $0 >= self.firstDescriptor } ?? false
    }

    /// Opens a descriptor, and closes it at once if it belongs to the reserve.
    ///
    /// - Parameter open: Opens the descriptor; returns a negative number on failure, with the reason in `errno`.
    /// - Returns: The descriptor. On failure, a negative number, with the reason in `errno`: `EMFILE` if the descriptor
    ///   belongs to the reserve.
    package static func open(_ open: () -> CInt) -> CInt {
        let descriptor = open()
        guard Self.current.contains(descriptor) else { return descriptor }
        close(descriptor)
        errno = EMFILE
        return -1
    }

    /// Returns whether the process may open a number of descriptors without those of the reserve.
    ///
    /// Use this method before calling a library that opens descriptors itself. The answer is exact if the descriptors
    /// in use have the lowest numbers, and no other thread opens a descriptor.
    package static func leaves(_ count: Int) -> Bool {
        let next = Self.open { TernCLibrary.open("/dev/null", O_RDONLY | O_CLOEXEC) }
        guard next >= 0 else { return errno != EMFILE && errno != ENFILE }
        close(next)
        return !Self.current.contains(next + CInt(clamping: max(1, count) - 1))
    }
}

extension CInt {
    /// Whether this error number of the system says that no descriptor is free.
    package var saysNoDescriptorIsFree: Bool { self == EMFILE || self == ENFILE }
}
