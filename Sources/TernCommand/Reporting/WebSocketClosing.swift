// SPDX-License-Identifier: Apache-2.0
import Tern

/// The way in which a WebSocket was closed, which determines the outcome of the command.
struct WebSocketClosing: Equatable, Sendable {
    var code: CloseCode?
    var reason: String?
    /// The side that closed the WebSocket; `nil` if the connection ended without a Close frame.
    var side: Side?
    /// Whether the server failed to answer this side's Close frame in time.
    var isUnanswered = false

    enum Side: String, Encodable, Sendable {
        case client
        case server
    }

    /// The codes with which a server closes because it is done or shuts down.
    private static let orderly: Set<CloseCode> = [.normalClosure, .goingAway, .noStatusReceived]

    var outcome: Outcome {
        if self.isUnanswered { return .timedOut }
        guard self.side == .server, let code = self.code, !Self.orderly.contains(code) else { return .ok }
        return .unsuccessfulStatus
    }

    var message: String? {
        if self.isUnanswered { return "the server did not answer the Close frame" }
        guard self.side == .server, let code = self.code else { return nil }
        let reason = TerminalText.sanitized(self.reason ?? "").split(separator: "\n").joined(separator: " ")
        let number = code == .noStatusReceived ? "without a code" : "with \(code)"
        return "the server closed the WebSocket \(number)\(reason.isEmpty ? "" : ": \(reason)")"
    }
}

extension WebSocketClosing {
    init(_ socket: WebSocket) {
        self.code = socket.closeCode
        self.reason = socket.closeReason.flatMap { $0.isEmpty ? nil : $0 }
        guard let outcome = socket.outcome else { return }
        switch outcome.cause {
        case .closed: self.side = outcome.isInitiatedByPeer ? .server : .client
        case .closeTimedOut:
            self.side = .client
            self.isUnanswered = outcome.received == nil
        // Some servers answer a Close frame by ending the connection. No message is lost then.
        case .endedByPeer, .connectionFailed, .violation: self.side = outcome.sent == nil ? nil : .client
        }
    }
}

extension CallReport {
    init(_ closing: WebSocketClosing, _ failure: (any Error)?) {
        if let failure {
            self.init(failure)
        } else {
            self.init()
            self.outcome = closing.outcome
            self.message = closing.message
        }
        self.closing = closing
    }
}
