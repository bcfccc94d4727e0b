// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// The resources that this process has used so far.
public enum Resources {
    /// The processor time of all threads in seconds, in user mode and system mode.
    public static var processorSeconds: Double {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return Self.seconds(usage.ru_utime) + Self.seconds(usage.ru_stime)
    }

    /// The resident memory at this moment, in KiB.
    public static var residentKiB: Int { Self.status("VmRSS:") }

    /// The peak of the resident memory in KiB, since the start of the process or since ``forgetPeak()``.
    public static var peakKiB: Int { Self.status("VmHWM:") }

    /// Gives memory that the process only keeps for later back to the system.
    ///
    /// The function is found at run time, because the module of the C library does not declare it.
    public static func giveBackMemory() {
        typealias Trim = @convention(c) (Int) -> CInt
        guard let trim = dlsym(nil, "malloc_trim") else { return }
        _ = unsafeBitCast(trim, to: Trim.self)(0)
    }

    /// The number of threads at this moment.
    public static var threadCount: Int { Self.status("Threads:") }

    /// Resets the peak to the memory that is resident at this moment.
    static func forgetPeak() {
        guard let file = fopen("/proc/self/clear_refs", "w") else { return }
        fputs("5", file)  // 5: the peak resident set size
        fclose(file)
    }

    private static func seconds(_ time: timeval) -> Double {
        Double(time.tv_sec) + Double(time.tv_usec) / 1e6
    }

    /// Returns the number in one row of `/proc/self/status`; zero if the row is missing.
    private static func status(_ name: String) -> Int {
        guard let file = fopen("/proc/self/status", "r") else { return 0 }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 256)
        while fgets(&line, Int32(line.count), file) != nil {
            let text = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
            guard text.hasPrefix(name) else { continue }
            return Int(text.split(whereSeparator: \.isWhitespace)[1]) ?? 0
        }
        return 0
    }
}
