// SPDX-License-Identifier: Apache-2.0

/// One line that shows the progress of a transfer.
///
/// ```text
/// dog.jpg   52% [===========>           ]  6.8 of 13.1 MB    4.2 MB/s   0:02 left
/// ```
struct ProgressBar: Equatable, Sendable {
    var label = ""
    var byteCount: Int64
    /// The number of bytes that were there before the transfer, and do not count for the rate.
    var earlierByteCount: Int64 = 0
    var totalByteCount: Int64?
    var bytesPerSecond: Double?

    private static let minimumBarWidth = 10
    private static let maximumBarWidth = 60
    private static let maximumLabelWidth = 30

    static func label(_ name: String) -> String {
        let printable = name.map { character in
            character.unicodeScalars.contains(where: TerminalText.isHarmful) ? "?" : character
        }
        return String(printable.prefix(Self.maximumLabelWidth))
    }

    /// Leaves out the least important parts if the line would be wider than `width`.
    func text(width: Int) -> String {
        let count = self.countText
        let rate = "  \((self.bytesPerSecond.map(NumberFormat.rate) ?? "").padding(to: 10, isRight: true))"
        guard let fraction = self.fraction else {
            let choices = ["\(self.prefix)\(count)\(rate)", "\(count)\(rate)", count]
            return choices.first { $0.count <= width } ?? String(count.prefix(max(0, width)))
        }
        let percent = "\(Int(fraction * 100))%".padding(to: 4, isRight: true)
        let left = "  \(self.timeLeft.padding(to: 5, isRight: true)) left"
        let choices = [
            (before: "\(self.prefix)\(percent)", after: "\(count)\(rate)\(left)"), (percent, "\(count)\(rate)\(left)"),
            (percent, "\(count)\(rate)"), (percent, count),
        ]
        for (before, after) in choices {
            let barWidth = width - before.count - after.count - 4
            guard barWidth >= Self.minimumBarWidth else { continue }
            return "\(before) \(Self.bar(fraction, width: min(barWidth, Self.maximumBarWidth))) \(after)"
        }
        let short = "\(percent)  \(count)"
        return String((short.count <= width ? short : percent).prefix(max(0, width)))
    }

    func summary(elapsed: Duration, width: Int) -> String {
        let seconds = elapsed / .seconds(1)
        let count = max(0, self.byteCount - self.earlierByteCount)
        let rate = seconds > 0 ? " (\(NumberFormat.rate(Double(count) / seconds)))" : ""
        let text = "\(NumberFormat.bytes(count)) in \(NumberFormat.time(elapsed))"
        let choices = ["\(self.prefix)\(text)\(rate)", "\(text)\(rate)", text]
        return choices.first { $0.count <= width } ?? String(text.prefix(max(0, width)))
    }

    private var prefix: String { self.label.isEmpty ? "" : "\(self.label)  " }

    private var fraction: Double? {
        guard let total = self.totalByteCount else { return nil }
        return total > 0 ? min(1, max(0, Double(self.byteCount) / Double(total))) : 1
    }

    /// `6.8 of 13.1 MB`: both have the same unit and the same width, so that the bar does not move.
    private var countText: String {
        guard let total = self.totalByteCount else {
            return NumberFormat.bytes(self.byteCount).padding(to: 8, isRight: true)
        }
        let unit = NumberFormat.Unit(for: Double(total))
        let totalText = unit.number(Double(total))
        let text = unit.number(Double(self.byteCount)).padding(to: totalText.count, isRight: true)
        return "\(text) of \(totalText) \(unit.name)"
    }

    private var timeLeft: String {
        guard let total = self.totalByteCount, let rate = self.bytesPerSecond, rate > 0 else { return "-:--" }
        return NumberFormat.clock(seconds: Double(max(0, total - self.byteCount)) / rate)
    }

    private static func bar(_ fraction: Double, width: Int) -> String {
        let done = Int(fraction * Double(width))
        let full = String(repeating: "=", count: done)
        return done == width ? "[\(full)]" : "[\(full)>\(String(repeating: " ", count: width - done - 1))]"
    }
}
