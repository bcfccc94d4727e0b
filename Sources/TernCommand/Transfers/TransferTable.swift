// SPDX-License-Identifier: Apache-2.0

/// The live table of `tern-cli transfers run`: a line for each running transfer, and a line with the counts.
///
/// ```text
/// 3 dog.jpg     52% [===========>           ]  6.8 of 13.1 MB    4.2 MB/s   0:02 left
/// 7 sea.mp4      3% [>                      ]  0.1 of 4.0 GB     2.1 MB/s  31:05 left
/// 2 running, 12 waiting, 30 completed
/// ```
struct TransferTable: Equatable, Sendable {
    struct Line: Equatable, Sendable {
        var id: Int64
        var name: String
        var bar: ProgressBar
    }

    var lines: [Line] = []
    var counts = TransferCounts([])
    var isNetworkAvailable = true

    private static let minimumNameWidth = 8
    private static let maximumNameWidth = 30

    /// Leaves out the last transfers if there are too many, and says so in the last line.
    func text(width: Int, height: Int) -> [String] {
        let shown = self.lines.prefix(max(0, height - 1))
        let names = shown.map { ("\($0.id)", Self.printable($0.name)) }
        let idWidth = names.map(\.0.count).max() ?? 0
        let limit = max(Self.minimumNameWidth, min(Self.maximumNameWidth, width / 4))
        let nameWidth = min(limit, names.map { Self.width(of: $0.1) }.max() ?? 0)
        var texts = zip(shown, names).map { line, name in
            let label = "\(name.0.padding(to: idWidth, isRight: true)) \(Self.fitted(name.1, nameWidth))  "
            let rest = width - idWidth - nameWidth - 3
            return rest > 0 ? label + line.bar.text(width: rest) : Self.fitted(label, max(0, width))
        }
        let hiddenCount = self.lines.count - shown.count
        var last = self.counts.text
        if hiddenCount > 0 { last += " (\(hiddenCount) running ones are not shown)" }
        if !self.isNetworkAvailable { last = "the network is gone; " + last }
        texts.append(String(last.prefix(max(0, width))))
        return texts
    }

    private static func printable(_ name: String) -> String {
        String(name.map { $0.unicodeScalars.contains(where: TerminalText.isHarmful) ? "?" : $0 })
    }

    private static func width(of text: String) -> Int { text.reduce(0) { $0 + TerminalText.width(of: $1) } }

    private static func fitted(_ text: String, _ width: Int) -> String {
        var (fitted, rest) = ("", width)
        for character in text {
            let needed = TerminalText.width(of: character)
            guard needed <= rest else { break }
            fitted.append(character)
            rest -= needed
        }
        return fitted + String(repeating: " ", count: rest)
    }
}

/// Replaces lines at the bottom of a terminal, without flicker: it writes over the old lines and erases only the rest.
struct TerminalBlock: Equatable, Sendable {
    private(set) var lineCount = 0

    /// Returns the text that puts lasting lines above the lines that the next call replaces.
    mutating func text(lasting: [String] = [], _ lines: [String]) -> String {
        let up = self.lineCount > 0 ? "\r\u{1B}[\(self.lineCount)A" : "\r"
        self.lineCount = lines.count
        return up + (lasting + lines).map { "\($0)\u{1B}[K\n" }.joined() + "\u{1B}[J"
    }

    mutating func leave() { self.lineCount = 0 }
}
