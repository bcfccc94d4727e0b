// SPDX-License-Identifier: Apache-2.0
import TernFoundation
import TernTransferQueue

/// A change of a transfer's state, of which people and machines are told.
struct TransferEvent: Equatable, Sendable {
    enum Kind: String, Codable, Sendable {
        case started
        case delayed
        case paused
        case completed
        case failed
    }

    let kind: Kind
    let row: TransferRow

    /// Returns a line for people, with the date of the next attempt relative to now.
    func text(at now: Date) -> String {
        let name = "transfer \(self.row.id) (\(self.row.name))"
        switch self.kind {
        case .started:
            guard self.row.bytes > 0 else { return "\(name) begins" }
            return "\(name) continues after \(NumberFormat.bytes(self.row.bytes))"
        case .delayed:
            let seconds = max(0, self.row.retryDate?.timeIntervalSince(now) ?? 0)
            let reason = self.row.message.map { "\($0); " } ?? ""
            return "\(name): \(reason)trying again in \(NumberFormat.time(.seconds(seconds)))"
        case .paused: return "\(name) is paused"
        case .completed: return "\(name) is complete: \(NumberFormat.bytes(self.row.totalBytes ?? self.row.bytes))"
        case .failed: return "\(name) failed: \(self.row.message ?? self.row.reason?.rawValue ?? "unknown reason")"
        }
    }
}

extension TransferEvent: Encodable {
    private enum CodingKeys: String, CodingKey { case event }

    func encode(to encoder: any Encoder) throws {
        try self.row.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(self.kind, forKey: .event)
    }
}

struct TransferEvents: Sendable {
    private(set) var rows: [Int64: TransferRow]

    init(_ rows: [TransferRow] = []) { self.rows = Dictionary(rows.map { ($0.id, $0) }) { first, _ in first } }

    /// Returns no event for the same state, and `started` before a completion: the queue reports only the last of quick changes.
    mutating func record(_ row: TransferRow) -> [TransferEvent] {
        let before = self.rows.updateValue(row, forKey: row.id)
        guard before?.state != row.state || before?.retryDate != row.retryDate else { return [] }
        let kind: TransferEvent.Kind? =
            switch row.state {
            case .waiting: nil
            case .running: .started
            case .delayed: .delayed
            case .paused: .paused
            case .completed: .completed
            case .failed: .failed
            }
        guard let kind else { return [] }
        let event = TransferEvent(kind: kind, row: row)
        guard kind == .completed, var start = before, start.state == .waiting || start.state == .delayed else {
            return [event]
        }
        (start.state, start.retryDate) = (.running, nil)
        return [TransferEvent(kind: .started, row: start), event]
    }

    mutating func remove(_ id: Int64) { self.rows[id] = nil }
}
