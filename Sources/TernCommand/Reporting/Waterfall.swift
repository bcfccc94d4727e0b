// SPDX-License-Identifier: Apache-2.0
import Tern
import TernFoundation

/// A chart of a call's time for people: a row for each step, with a bar that shows its interval.
struct Waterfall {
    private struct Row {
        var name: String
        var interval: Range<Duration>
        var note = ""
    }

    private static let nameWidth = 11
    private static let timeWidth = 10

    private let metrics: TaskMetrics
    private let barWidth: Int
    private let mark: Character

    init(_ metrics: TaskMetrics, width: Int, isPlain: Bool) {
        self.metrics = metrics
        self.barWidth = min(max(width - Self.nameWidth - Self.timeWidth - 6, 10), 100)
        self.mark = isPlain ? "#" : "\u{2588}"
    }

    var text: String {
        var lines: [String] = []
        for transaction in self.metrics.transactions {
            lines.append(Self.title(of: transaction))
            lines += Self.rows(of: transaction).map { self.line($0) }
        }
        lines.append(self.line(Row(name: "total", interval: .zero..<max(.zero, self.metrics.duration))))
        return lines.map { "\(TerminalText.sanitized($0))\n" }.joined()
    }

    private static func title(of transaction: TransactionMetrics) -> String {
        let status = transaction.statusCode.map { "\($0)" } ?? "failed"
        let url = RedactedURL.text(transaction.url.absoluteString)
        var parts = ["\(transaction.number). \(transaction.method) \(url)", status]
        if transaction.reason != .initial { parts.append(transaction.reason.rawValue) }
        if let connection = transaction.connection {
            parts.append(connection.isReused ? "same connection" : "new connection")
            if let remote = connection.addresses.remote { parts.append(remote) }
            if let version = connection.tls?.version { parts.append("\(version)") }
            if let version = transaction.protocolVersion {
                parts.append(transaction.streamNumber.map { "\(version) stream \($0)" } ?? version)
            }
        }
        parts.append(
            "\(NumberFormat.bytes(transaction.sent.body)) up, \(NumberFormat.bytes(transaction.received.body)) down"
        )
        return parts.joined(separator: ", ")
    }

    private static func rows(of transaction: TransactionMetrics) -> [Row] {
        var rows: [Row] = []
        let add = { (name: String, interval: Range<Duration>?) in
            if let interval { rows.append(Row(name: name, interval: interval)) }
        }
        let waitsForStream = transaction.streamNumber != nil && transaction.connecting == nil
        add(waitsForStream ? "stream wait" : "waiting", transaction.waiting)
        add("look-up", transaction.resolution)
        let attempts = transaction.connectAttempts
        if attempts.count > 1 || attempts.contains(where: { $0.outcome != .connected }) {
            for attempt in attempts {
                rows.append(Row(name: "attempt", interval: attempt.interval, note: Self.note(on: attempt)))
            }
        }
        add("connecting", transaction.connecting.map { self.behind(transaction.resolution, $0) })
        add("proxy TLS", transaction.proxyHandshake)
        add("tunnel", transaction.tunnelling)
        add("TLS", transaction.handshake)
        let sent = transaction.requestSent ?? transaction.headSent
        add("sending", Self.interval(transaction.connected, sent))
        add("server", Self.interval(sent ?? transaction.connected, transaction.firstByte))
        add("receiving", Self.interval(transaction.firstByte, transaction.end))
        return rows
    }

    private static func note(on attempt: TransactionMetrics.ConnectAttempt) -> String {
        switch attempt.outcome {
        case .connected: "\(attempt.address): connected"
        case .failed(let failure): "\(attempt.address): \(failure)"
        case .abandoned: "\(attempt.address): abandoned"
        default: attempt.address
        }
    }

    /// Returns the part of `second` after `first`: the time to connect without the look-up, which has its own row.
    private static func behind(_ first: Range<Duration>?, _ second: Range<Duration>) -> Range<Duration> {
        guard let first, second.contains(first.upperBound) else { return second }
        return first.upperBound..<second.upperBound
    }

    /// Returns an empty interval if the end comes first, as when a server responds before it has the whole request.
    private static func interval(_ start: Duration?, _ end: Duration?) -> Range<Duration>? {
        guard let start, let end else { return nil }
        return min(start, end)..<end
    }

    private func line(_ row: Row) -> String {
        let name = row.name.padding(to: Self.nameWidth)
        let time = NumberFormat.time(row.interval.duration).padding(to: Self.timeWidth, isRight: true)
        let line = "   \(name)\(time) |\(self.bar(row.interval))|"
        return row.note.isEmpty ? line : "\(line) \(row.note)"
    }

    private func bar(_ interval: Range<Duration>) -> String {
        let total = max(self.metrics.duration, .nanoseconds(1))
        let column = { (instant: Duration) in Int(instant / total * Double(self.barWidth)) }
        let start = min(max(column(interval.lowerBound), 0), self.barWidth - 1)
        let end = min(max(column(interval.upperBound), start + 1), self.barWidth)
        return String(repeating: " ", count: start) + String(repeating: self.mark, count: end - start)
            + String(repeating: " ", count: self.barWidth - end)
    }
}

enum TransactionTable {
    private static let heads = [
        "method", "path", "status", "connection", "wait", "connect", "TLS", "first byte", "total", "up", "down",
    ]
    private static let maximumPathWidth = 32

    static func lines(_ transactions: [TransactionMetrics]) -> [String] {
        let rows = [Self.heads] + transactions.map { Self.cells($0) }
        let widths = Self.heads.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            let cells = zip(row, widths).enumerated().map { index, cell in
                // Text is aligned to the left, numbers to the right.
                cell.0.padding(to: cell.1, isRight: index > 3)
            }
            let line = TerminalText.sanitized(cells.joined(separator: "  "))
            return String(line.reversed().drop { $0 == " " }.reversed())
        }
    }

    private static func cells(_ transaction: TransactionMetrics) -> [String] {
        let time = { (duration: Duration?) in duration.map { NumberFormat.time($0) } ?? "-" }
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
            NumberFormat.bytes(transaction.sent.body),
            NumberFormat.bytes(transaction.received.body),
        ]
    }
}
