// SPDX-License-Identifier: Apache-2.0
import TernTransferQueue

/// Formats the transfers of a queue as columns, for people and for programs such as `awk`.
enum TransferList {
    private static let titles = ["ID", "STATE", "DONE", "SIZE", "PRIORITY", "DIRECTION", "URL", "FILE"]
    private static let rightColumns: Set<Int> = [0, 2, 3]

    /// Two spaces or more separate the columns, of which only the last may contain a space.
    static func text(_ rows: [TransferRow], showsTitles: Bool) -> String {
        let lines = (showsTitles && !rows.isEmpty ? [Self.titles] : []) + rows.map(Self.columns)
        let widths = Self.titles.indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
        return lines.map { columns in
            let texts = columns.enumerated().map { index, text in
                index == columns.count - 1
                    ? text : text.padding(to: widths[index], isRight: Self.rightColumns.contains(index))
            }
            return texts.joined(separator: "  ") + "\n"
        }.joined()
    }

    private static func columns(of row: TransferRow) -> [String] {
        let state = row.reason.map { "\(row.state.rawValue):\($0.rawValue)" } ?? row.state.rawValue
        let done = row.fraction.map { "\(Int($0 * 100))%" } ?? "-"
        let size = row.totalBytes.map { NumberFormat.bytes($0).filter { $0 != " " } } ?? "-"
        // A line break in the name of a file would look like another row.
        let file = TerminalText.sanitized(row.file).map { $0.isNewline || $0 == "\t" ? "\u{FFFD}" : $0 }
        return [
            "\(row.id)", state, done, size, row.priority, row.direction.rawValue, TerminalText.sanitized(row.url),
            String(file),
        ]
    }
}
