// SPDX-License-Identifier: Apache-2.0
import Tern

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A table of transactions, a line for each.
enum TransactionTable {
    private static let heads = [
        "method", "path", "status", "line", "wait", "connect", "TLS", "first byte", "total", "up", "down",
    ]
    private static let maximumPathWidth = 32

    /// All lines; the columns are as wide as what is in them.
    static func lines(_ transactions: [TransactionMetrics]) -> [String] {
        let rows = [Self.heads] + transactions.map { Self.cells($0) }
        let widths = Self.heads.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            let cells = zip(row, widths).enumerated().map { index, cell in
                // Words to the left, numbers to the right.
                cell.0.padding(to: cell.1, isRight: index > 3)
            }
            let line = TerminalText.harmless(cells.joined(separator: "  "))
            return String(line.reversed().drop { $0 == " " }.reversed())
        }
    }

    private static func cells(_ transaction: TransactionMetrics) -> [String] {
        let time = { (duration: Duration?) in duration.map { Figures.time($0) } ?? "-" }
        let path = transaction.url.path(percentEncoded: true)
        return [
            transaction.method,
            path.count > Self.maximumPathWidth ? "\(path.prefix(Self.maximumPathWidth - 1))…" : path,
            transaction.statusCode.map { "\($0)" } ?? "-",
            transaction.isConnectionReused.map { $0 ? "same" : "new" } ?? "-",
            time(transaction.waiting?.duration),
            time(transaction.connecting?.duration),
            time(transaction.handshake?.duration),
            time(transaction.timeToFirstByte),
            time(transaction.duration),
            Figures.bytes(transaction.sent.body),
            Figures.bytes(transaction.received.body),
        ]
    }
}
