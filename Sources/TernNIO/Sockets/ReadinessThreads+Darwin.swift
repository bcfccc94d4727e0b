// SPDX-License-Identifier: Apache-2.0
// For all platforms other than Linux. Compiled and run over stand-ins on Linux (scripts/test --apple-shape); never
// on an Apple platform.

#if !os(Linux)
/// No threads: on this platform, event loops wait for all sockets.
final class ReadinessThreads: Sendable {
    static let shared = ReadinessThreads(count: 0)

    init(count: Int) {}
}
#endif
