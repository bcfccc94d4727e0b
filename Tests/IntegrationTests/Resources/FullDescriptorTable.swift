// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport

/// Takes every descriptor that this process may have, until released; only for a process of its own.
final class FullDescriptorTable {
    private var taken: [CInt] = []

    /// Lowers the limit, and takes what is free below it.
    init() throws {
        var limit = rlimit()
        #if canImport(Glibc)
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #else
        let resource = RLIMIT_NOFILE
        #endif
        getrlimit(resource, &limit)
        limit.rlim_cur = min(limit.rlim_cur, 300)
        guard setrlimit(resource, &limit) == 0 else { throw PeerProcess.Failure(description: "system error \(errno)") }
        self.fill()
        guard errno == EMFILE else { throw PeerProcess.Failure(description: "system error \(errno)") }
    }

    deinit { for descriptor in self.taken { close(descriptor) } }

    /// Takes what has become free.
    func fill() {
        while true {
            let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { return }
            self.taken.append(descriptor)
        }
    }
}
