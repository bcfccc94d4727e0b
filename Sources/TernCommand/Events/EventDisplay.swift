// SPDX-License-Identifier: Apache-2.0
import Tern

/// Shows server-sent events on standard output, and the states of the connection on standard error, or both as ``Format/json``.
struct EventDisplay: Sendable {
    enum Format: Sendable {
        /// Only data and comments, for programs that read a pipe or a file.
        case data
        /// Without control characters other than tabs and line feeds, and with a line for a type other than `message`.
        case terminal
        case json
    }

    let format: Format
    let output: OutputWriter
    /// Whether to show the states of the connection, because the command connects again.
    let showsStates: Bool
    let isQuiet: Bool
    var errors = System.standardError

    func show(_ event: ServerSentEvent) async throws(OutputFailure) {
        try await self.output.write(line: self.text(event))
    }

    func text(_ event: ServerSentEvent) -> String {
        switch self.format {
        case .json: JSONLine.encode(EventRecord.event(event))
        case .data: event.comment.map { ": \($0)" } ?? event.data
        case .terminal: TerminalText.sanitized(Self.titled(event))
        }
    }

    private static func titled(_ event: ServerSentEvent) -> String {
        if let comment = event.comment { return ": \(comment)" }
        return event.event == "message" ? event.data : "event: \(event.event)\n\(event.data)"
    }

    func connected(_ response: Response, isFirst: Bool) async throws(OutputFailure) {
        let isTerminal = System.isTerminal(self.errors)
        if case .json = self.format, self.showsStates {
            try await self.output.write(line: JSONLine.encode(EventRecord.connected(status: response.statusCode)))
        } else if self.showsStates || isFirst && isTerminal && response.statusCode != 204 {
            self.note(isFirst && isTerminal ? "connected; Ctrl-C ends" : "connected")
        }
    }

    /// Unless the format is JSON, shows only an end after which the command connects again.
    func disconnected(_ disconnection: EventDisconnection, attempt: Int) async throws(OutputFailure) {
        guard self.showsStates else { return }
        if case .json = self.format {
            let record = EventRecord.disconnected(disconnection, attempt: attempt)
            return try await self.output.write(line: JSONLine.encode(record))
        }
        guard let delay = disconnection.retryDelay else { return }
        try await self.output.finish()  // on a terminal, the events come before this line
        let reason = disconnection.error.map { "\($0)" } ?? "the server ended the response"
        let seconds = (delay / .milliseconds(100)).rounded() / 10
        self.note("\(reason); connecting again in \(seconds) s")
    }

    private func note(_ text: String) {
        if case .json = self.format { return }
        if !self.isQuiet { System.show(TerminalText.note(text), on: self.errors) }
    }
}
