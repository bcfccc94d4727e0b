// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The memory of this process in bytes; on systems other than Linux, only the peak is known.
enum ProcessMemory {
    static var resident: Int { Self.status("VmRSS:") ?? Self.peak }

    /// The maximum memory that was resident at once since the process started, or since ``forgetPeak()``.
    static var peak: Int {
        if let peak = Self.status("VmHWM:") { return peak }
        var usage = rusage()
        #if canImport(Darwin)
        getrusage(RUSAGE_SELF, &usage)
        return usage.ru_maxrss
        #else
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return usage.ru_maxrss * 1024
        #endif
    }

    /// Sets the peak to the memory that is resident now; see proc(5).
    static func forgetPeak() { try? Data("5".utf8).write(to: URL(filePath: "/proc/self/clear_refs")) }

    /// Reads one row of `/proc/self/status`.
    private static func status(_ name: String) -> Int? {
        guard let data = try? Data(contentsOf: URL(filePath: "/proc/self/status")) else { return nil }
        let line = String(decoding: data, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix(name) }
        return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }.map { $0 * 1024 }
    }
}
