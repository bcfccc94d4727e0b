// SPDX-License-Identifier: Apache-2.0
import Tern

/// How a WebSocket was closed, and what that means for the command.
struct WebSocketClosing: Equatable, Sendable {
    /// What the server said, or will never say.
    var code: CloseCode?
    /// The same in words.
    var reason: String?
    /// Which side closed; `nil` if neither did, for the connection ended otherwise.
    var side: Side?
    /// Whether the server did not answer the close of this side in time.
    var isUnanswered = false

    enum Side: String, Encodable, Sendable {
        case client
        case server
    }

    /// Codes by which a server that has done its part ends, for it is finished or is shut down.
    private static let orderly: Set<CloseCode> = [.normalClosure, .goingAway, .noStatusReceived]

    /// How the command ended by that.
    var outcome: Outcome {
        if self.isUnanswered { return .timedOut }
        guard self.side == .server, let code = self.code, !Self.orderly.contains(code) else { return .ok }
        return .unsuccessfulStatus
    }

    /// The same for people; `nil` if there is nothing to tell.
    var message: String? {
        if self.isUnanswered { return "the server did not answer the close" }
        guard self.side == .server, let code = self.code else { return nil }
        let reason = TerminalText.harmless(self.reason ?? "").split(separator: "\n").joined(separator: " ")
        let number = code == .noStatusReceived ? "without a code" : "with \(code)"
        return "the server closed the WebSocket \(number)\(reason.isEmpty ? "" : ": \(reason)")"
    }
}

extension WebSocketClosing {
    /// What is known once the connection is closed.
    init(_ socket: WebSocket) {
        self.code = socket.closeCode
        self.reason = socket.closeReason.flatMap { $0.isEmpty ? nil : $0 }
        guard let outcome = socket.outcome else { return }
        switch outcome.cause {
        case .closed: self.side = outcome.isInitiatedByPeer ? .server : .client
        case .closeTimedOut:
            self.side = .client
            self.isUnanswered = outcome.received == nil
        // Some servers answer a close by ending the connection; nothing is lost by that.
        case .endedByPeer, .connectionFailed, .violation: self.side = outcome.sent == nil ? nil : .client
        }
    }
}

extension CallReport {
    /// A report on a WebSocket.
    ///
    /// - Parameters:
    ///   - closing: how it was closed.
    ///   - failure: what went wrong before that; `nil` if nothing did.
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
