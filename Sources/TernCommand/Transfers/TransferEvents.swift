// SPDX-License-Identifier: Apache-2.0
import TernFoundation
import TernTransferQueue

/// A change of a transfer's state, of which people and machines are told.
struct TransferEvent: Equatable, Sendable {
    /// The kind of a change.
    enum Kind: String, Codable, Sendable {
        case started
        case delayed
        case paused
        case completed
        case failed
    }

    let kind: Kind
    /// The transfer after the change.
    let row: TransferRow

    /// Returns a line for people.
    ///
    /// - Parameter now: The present date, to which the date of the next attempt is compared.
    /// - Returns: The line, without a line break.
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

    /// Encodes the members of the row, and the kind as `event`.
    func encode(to encoder: any Encoder) throws {
        try self.row.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(self.kind, forKey: .event)
    }
}

/// Finds the events in the changes of transfers.
struct TransferEvents: Sendable {
    /// The present transfers, by number.
    private(set) var rows: [Int64: TransferRow]

    /// Starts with the transfers as they are before any event.
    init(_ rows: [TransferRow] = []) { self.rows = Dictionary(rows.map { ($0.id, $0) }) { first, _ in first } }

    /// Records the present value of a transfer.
    ///
    /// The queue reports only the last of several changes that follow each other quickly. A completed transfer has
    /// started, so `started` comes first, even if the queue has not reported it.
    ///
    /// - Parameter row: The value.
    /// - Returns: The events; empty if the state is the same, or is not worth an event.
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

    /// Forgets a transfer that was removed.
    mutating func remove(_ id: Int64) { self.rows[id] = nil }
}
