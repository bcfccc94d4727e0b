// SPDX-License-Identifier: Apache-2.0

extension CLibrary {
    /// A limit on what this process may use: see the manual page getrlimit(2).
    package enum ResourceLimit: Sendable {
        case descriptors
        case fileByteCount

        /// The soft limit, which the process may change; `nil` if the system does not say.
        package var value: UInt64? {
            var limit = rlimit()
            return getrlimit(self.number, &limit) == 0 ? UInt64(limit.rlim_cur) : nil
        }

        /// Changes the soft limit; returns 0, or the system's `errno`.
        package func change(to value: UInt64) -> CInt {
            var limit = rlimit()
            guard getrlimit(self.number, &limit) == 0 else { return errno }
            limit.rlim_cur = rlim_t(value)
            return setrlimit(self.number, &limit) == 0 ? 0 : errno
        }
    }
}
