// SPDX-License-Identifier: Apache-2.0

enum NumberFormat {
    /// Returns `13.1 MB`, with powers of 1000, as disks and networks count.
    static func bytes(_ count: Int64) -> String { Self.bytes(Double(count)) }

    static func rate(_ bytesPerSecond: Double) -> String { "\(Self.bytes(bytesPerSecond.rounded()))/s" }

    private static func bytes(_ count: Double) -> String {
        let unit = Unit(for: count)
        return "\(unit.number(count)) \(unit.name)"
    }

    struct Unit: Equatable {
        private(set) var name = "B"
        private var byteCount = 1.0

        /// Creates the largest unit in which the rounded number is at least 1.
        init(for count: Double) {
            for larger in ["kB", "MB", "GB", "TB", "PB", "EB"] {
                guard count / self.byteCount >= (self.byteCount > 1 ? 999.95 : 1000) else { return }
                self.byteCount *= 1000
                self.name = larger
            }
        }

        func number(_ count: Double) -> String {
            NumberFormat.fixed(count / self.byteCount, digits: self.byteCount > 1 ? 1 : 0)
        }
    }

    /// Returns `1:05` or `2:01:05`, rounded up; 100 hours or more become `-:--`.
    static func clock(seconds: Double) -> String {
        guard seconds.isFinite, seconds >= 0, seconds < 360_000 else { return "-:--" }
        let whole = Int(seconds.rounded(.up))
        let two = { (number: Int) in number < 10 ? "0\(number)" : "\(number)" }
        let (hours, minutes) = (whole / 3600, whole / 60 % 60)
        return hours > 0 ? "\(hours):\(two(minutes)):\(two(whole % 60))" : "\(minutes):\(two(whole % 60))"
    }

    static func time(_ duration: Duration) -> String {
        let seconds = duration / .seconds(1)
        return seconds < 1 ? "\(Self.fixed(seconds * 1000, digits: 1)) ms" : "\(Self.fixed(seconds, digits: 1)) s"
    }

    /// Returns `-` for a number that is negative or too large.
    static func fixed(_ value: Double, digits: Int) -> String {
        let scale = (0..<digits).reduce(1) { scale, _ in scale * 10 }
        guard value.isFinite, value >= 0, value < 9e15 / Double(scale) else { return "-" }
        let scaled = Int((value * Double(scale)).rounded())
        guard digits > 0 else { return "\(scaled)" }
        let fraction = String(scaled % scale)
        return "\(scaled / scale).\(String(repeating: "0", count: digits - fraction.count))\(fraction)"
    }
}
