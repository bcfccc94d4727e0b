// SPDX-License-Identifier: Apache-2.0
// For all platforms other than Linux. Compiled against stand-ins (scripts/check-apple); never run.

#if !os(Linux)
/// No threads: on this platform, event loops wait for all sockets.
final class ReadinessThreads: Sendable {
    static let shared = ReadinessThreads(count: 0)

    init(count: Int) {}
}
#endif
