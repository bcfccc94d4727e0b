// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Takes every descriptor that this process may have, until released; only for a process of its own.
public final class FullDescriptorTable {
    /// The limit could not be lowered, or the table not be filled; the number is the system's `errno`.
    public struct Failure: Error {
        /// The number.
        public let errno: CInt
    }

    /// The number of descriptors that a process may add to those it inherited or opened: few enough to take them all.
    private static let spareCount: rlim_t = 300

    private var taken: [CInt] = []

    /// Lowers the limit, and takes what is free below it.
    public init() throws(Failure) {
        #if canImport(Glibc)
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #else
        let resource = RLIMIT_NOFILE
        #endif
        var limit = rlimit()
        getrlimit(resource, &limit)
        limit.rlim_cur = min(limit.rlim_cur, Self.highest(below: limit.rlim_cur) + Self.spareCount)
        guard setrlimit(resource, &limit) == 0 else { throw Failure(errno: errno) }
        let last = self.fill()
        guard last == EMFILE else { throw Failure(errno: last) }
    }

    deinit { for descriptor in self.taken { close(descriptor) } }

    /// The highest descriptor in use.
    ///
    /// A limit below it would be no limit on what replaces it.
    private static func highest(below limit: rlim_t) -> rlim_t {
        // Where there is hardly a limit, only the lowest are looked at, which are given out first.
        (0..<min(limit, 50_000)).reversed().first { fcntl(CInt($0), F_GETFD) != -1 } ?? 0
    }

    /// Takes what has become free.
    ///
    /// - Returns: the system's `errno` when it had no more.
    @discardableResult
    public func fill() -> CInt {
        while true {
            let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { return errno }
            self.taken.append(descriptor)
        }
    }
}

@available(*, unavailable)
extension FullDescriptorTable: Sendable {}
