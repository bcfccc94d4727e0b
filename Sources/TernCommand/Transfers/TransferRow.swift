// SPDX-License-Identifier: Apache-2.0
import Tern
import TernFoundation
import TernTransferQueue

/// A transfer of a queue, as the commands show it: a line for people, or an object of JSON for machines.
struct TransferRow: Equatable, Sendable {
    enum Direction: String, Codable, Sendable {
        case download
        case upload
    }

    enum State: String, Codable, CaseIterable, Sendable {
        case running
        case waiting
        case delayed
        case paused
        case completed
        case failed
    }

    var id: Int64
    var direction = Direction.download
    /// The URL, with `?REDACTED` in place of its query.
    var url = ""
    var file = ""
    var label = ""
    var priority = "normal"
    var state = State.waiting
    /// The number of transferred bytes, including those of earlier attempts.
    var bytes: Int64 = 0
    var totalBytes: Int64?
    /// The number of failed attempts without progress.
    var failedAttempts = 0
    var retryDate: Date?
    var reason: TransferFailure.Reason?
    var message: String?

    /// The name for people: the label, or the name of the file.
    var name: String { self.label.isEmpty ? String(self.file.split(separator: "/").last ?? "") : self.label }

    var fraction: Double? {
        if self.state == .completed { return 1 }
        guard let totalBytes else { return nil }
        return totalBytes > 0 ? min(1, max(0, Double(self.bytes) / Double(totalBytes))) : 1
    }
}

extension TransferRow {
    init(_ transfer: QueuedTransfer) {
        let description = transfer.description
        self.init(id: transfer.id.number)
        if case .upload = description.kind { self.direction = .upload }
        self.url = RedactedURL.text(description.url.absoluteString)
        self.file = description.file.path
        self.label = description.label
        self.priority = "\(description.priority)"
        self.bytes = transfer.progress.byteCount
        self.totalBytes = transfer.progress.totalByteCount
        self.failedAttempts = transfer.failedAttemptCount
        self.message = transfer.failure?.message
        switch transfer.state {
        case .waiting: self.state = .waiting
        case .running: self.state = .running
        case .delayed(let date): (self.state, self.retryDate) = (.delayed, date)
        case .paused: self.state = .paused
        case .completed: self.state = .completed
        case .failed(let reason): (self.state, self.reason) = (.failed, reason)
        }
    }
}

extension TransferRow: Encodable {
    private enum CodingKeys: String, CodingKey {
        case id, direction, url, file, label, priority, state, bytes, totalBytes, failedAttempts, retryDate, reason
        case message
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(self.id, forKey: .id)
        try container.encode(self.direction, forKey: .direction)
        try container.encode(self.url, forKey: .url)
        try container.encode(self.file, forKey: .file)
        if !self.label.isEmpty { try container.encode(self.label, forKey: .label) }
        try container.encode(self.priority, forKey: .priority)
        try container.encode(self.state, forKey: .state)
        try container.encode(self.bytes, forKey: .bytes)
        try container.encodeIfPresent(self.totalBytes, forKey: .totalBytes)
        if self.failedAttempts > 0 { try container.encode(self.failedAttempts, forKey: .failedAttempts) }
        try container.encodeIfPresent(self.retryDate?.ISO8601Format(), forKey: .retryDate)
        try container.encodeIfPresent(self.reason?.rawValue, forKey: .reason)
        try container.encodeIfPresent(self.message, forKey: .message)
    }
}
