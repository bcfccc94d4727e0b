// SPDX-License-Identifier: Apache-2.0
import Tern
import TernTransferQueue

struct TransferRunReport: Equatable, Sendable {
    var rows: [TransferRow]
    /// Whether `pause --all` keeps all transfers from running.
    var isPaused = false

    private static let maximumNamedCount = 10

    /// The outcome of the first transfer that has failed, also if an earlier process ran it.
    var outcome: Outcome { self.failed.first.map { Outcome($0.reason ?? .other) } ?? .ok }

    private var failed: [TransferRow] { self.rows.filter { $0.state == .failed } }

    func failureMessage(_ place: TransferDirectoryOptions) -> String? {
        let failed = self.failed
        guard !failed.isEmpty else { return nil }
        let ids = failed.prefix(Self.maximumNamedCount).map { "\($0.id)" }.joined(separator: ", ")
        let others = failed.count > Self.maximumNamedCount ? " and others" : ""
        let subject = failed.count == 1 ? "transfer \(ids) has failed" : "\(failed.count) transfers have failed: \(ids)"
        let again = failed.count <= Self.maximumNamedCount ? failed.map { "\($0.id)" }.joined(separator: " ") : "--all"
        let next = "after \(place.command("resume \(again)")), the next 'run' tries again"
        let advice = "\(place.command("list")) says why; \(next)"
        return "\(subject)\(others); \(advice)"
    }

    func notes(_ place: TransferDirectoryOptions) -> [String] {
        var notes = [TransferCounts(self.rows).text]
        if self.isPaused {
            notes.append("all transfers are paused; \(place.command("resume --all")) ends that")
        } else if let paused = self.rows.first(where: { $0.state == .paused }) {
            notes.append("\(place.command("resume \(paused.id)")) lets a paused transfer go on")
        }
        return notes
    }
}

extension TransferRunReport: Encodable {
    private enum CodingKeys: String, CodingKey { case outcome, exitCode, transfers, isPaused }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(self.outcome, forKey: .outcome)
        try container.encode(self.outcome.exitCode, forKey: .exitCode)
        try container.encode(TransferCounts(self.rows), forKey: .transfers)
        if self.isPaused { try container.encode(true, forKey: .isPaused) }
    }
}

extension Outcome {
    init(_ reason: TransferFailure.Reason) {
        self =
            switch reason {
            case .network: .connectionFailed
            case .connection, .possiblyProcessed: .connectionLost
            case .serverUnavailable, .refused: .unsuccessfulStatus
            case .protocol, .digest: .protocolViolation
            case .tls: .tlsFailed
            case .file, .storage: .fileFailed
            case .invalidRequest: .invalidRequest
            case .delegate, .other: .other
            }
    }
}
