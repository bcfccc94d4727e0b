// SPDX-License-Identifier: Apache-2.0

/// One line with the progress of a transfer: `dog.jpg      52 % [==========>         ]  6.8 MB`.
public struct ProgressBar: Equatable, Sendable {
    private static let labelWidth = 20
    private static let barWidth = 30

    public var label: String
    public var byteCount: Int64
    /// The total number of bytes, or `nil` if it is not known.
    public var totalByteCount: Int64?

    public init(_ label: String, _ byteCount: Int64 = 0, of totalByteCount: Int64? = nil) {
        self.label = label
        self.byteCount = byteCount
        self.totalByteCount = totalByteCount
    }

    /// The line as the terminal shows it.
    public var text: String {
        let label = Self.padded(String(self.label.suffix(Self.labelWidth)), to: Self.labelWidth)
        guard let total = self.totalByteCount else { return "\(label)  \(Self.bytes(self.byteCount))" }
        let fraction = total > 0 ? min(1, max(0, Double(self.byteCount) / Double(total))) : 1
        let done = Int(fraction * Double(Self.barWidth))
        let bar = Self.padded(
            String(repeating: "=", count: done) + (done < Self.barWidth ? ">" : ""),
            to: Self.barWidth
        )
        let percent = Int(fraction * 100)
        let space = percent < 10 ? "  " : percent < 100 ? " " : ""
        return "\(label) \(space)\(percent) % [\(bar)]  \(Self.bytes(self.byteCount))"
    }

    /// Returns a number of bytes as a text for people, such as `13.1 MB`.
    public static func bytes(_ count: Int64) -> String {
        for (unit, size) in [("GB", 1_000_000_000.0), ("MB", 1_000_000), ("kB", 1_000)] where Double(count) >= size {
            let tenths = Int((Double(count) / size * 10).rounded())
            return "\(tenths / 10).\(tenths % 10) \(unit)"
        }
        return "\(count) B"
    }

    private static func padded(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
}
