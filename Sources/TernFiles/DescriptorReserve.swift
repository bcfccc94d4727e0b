// SPDX-License-Identifier: Apache-2.0
import TernCLibrary

/// The descriptors that the client leaves to the rest of the process.
///
/// On Linux, Dispatch ends the process if it gets no descriptor to look at its busy threads in `/proc`. The system always assigns
/// the lowest free number, so the client closes a descriptor at once if its number is one of the last below the limit.
package struct DescriptorReserve: Hashable, Sendable {
    /// The number of descriptors below `RLIMIT_NOFILE` that connections and files leave free, unless the limit is high or very low.
    ///
    /// Beyond it, idle connections close; if none is idle, connecting throws `ClientError.connectionFailed(.tooManyOpenFiles)`.
    package static let minimumCount: UInt64 = 32
    /// The reserve is at least the limit `RLIMIT_NOFILE` of the process, divided by this number.
    package static let divisor: UInt64 = 16

    package let firstDescriptor: UInt64

    /// Creates the reserve for a soft limit `RLIMIT_NOFILE`.
    package init(limit: UInt64) {
        // At most half, so that a process with a very low limit still gets some connections.
        self.firstDescriptor = limit - min(max(Self.minimumCount, limit / Self.divisor), limit / 2)
    }

    /// The reserve of this process, which can change its limit at any time.
    package static var current: DescriptorReserve {
        DescriptorReserve(limit: CLibrary.ResourceLimit.descriptors.value ?? .max)
    }

    package func contains(_ descriptor: CInt) -> Bool {
        UInt64(exactly: descriptor).map { $0 >= self.firstDescriptor } ?? false
    }

    /// Opens a descriptor, but closes one of the reserve at once; on failure, returns a negative number, with the reason in
    /// `errno`, such as `EMFILE` for the reserve.
    package static func open(_ open: () -> CInt) -> CInt {
        let descriptor = open()
        guard Self.current.contains(descriptor) else { return descriptor }
        close(descriptor)
        errno = EMFILE
        return -1
    }

    /// Returns whether the reserve stays free if a library opens so many descriptors; exact if the used ones are the lowest.
    package static func leaves(_ count: Int) -> Bool {
        let next = Self.open { TernCLibrary.open("/dev/null", O_RDONLY | O_CLOEXEC) }
        guard next >= 0 else { return errno != EMFILE && errno != ENFILE }
        close(next)
        return !Self.current.contains(next + CInt(clamping: max(1, count) - 1))
    }
}

extension CInt {
    package var saysNoDescriptorIsFree: Bool { self == EMFILE || self == ENFILE }
}
