// SPDX-License-Identifier: Apache-2.0
import TernCLibrary

/// The descriptors that the client leaves to the rest of the process, which may be unable to go on without one.
///
/// On Linux, Dispatch ends the process if it gets no descriptor to look at its busy threads in `/proc`. The system always assigns
/// the lowest free number, so the client closes a descriptor at once whose number is one of the last below the limit.
package struct DescriptorReserve: Hashable, Sendable {
    /// The number of descriptors below `RLIMIT_NOFILE` that connections and files leave free, unless the limit is high or very low.
    ///
    /// Beyond it, idle connections close; without any, the call throws `ClientError.connectionFailed(.tooManyOpenFiles)`.
    package static let minimumCount: UInt64 = 32
    /// The reserve is at least the limit of the process divided by this number.
    package static let divisor: UInt64 = 16

    package let firstDescriptor: UInt64

    /// The limit is the soft limit `RLIMIT_NOFILE`.
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

    /// Closes a descriptor of the reserve at once; on failure, returns a negative number, with the reason in `errno`, such as
    /// `EMFILE`.
    package static func open(_ open: () -> CInt) -> CInt {
        let descriptor = open()
        guard Self.current.contains(descriptor) else { return descriptor }
        close(descriptor)
        errno = EMFILE
        return -1
    }

    /// Returns whether a library may open so many descriptors itself; exact if those in use have the lowest numbers.
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
