// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Tern
import TernErrors
import TernRequests
import TernTesting
import TestSupport
import Testing

extension EventReconnectionPolicy {
    /// A policy that connects again without a pause, if the server asks for none.
    static let immediate = EventReconnectionPolicy(initialDelay: .zero)

    /// Returns a policy that connects again without a pause.
    static func immediate(_ count: Int? = nil, resumption: Resumption = .none) -> EventReconnectionPolicy {
        EventReconnectionPolicy(initialDelay: .zero, maximumAttemptCount: count, resumption: resumption)
    }
}

extension Client.Configuration {
    /// The defaults, without time limits, so that a test can advance the clock.
    static var untimed: Client.Configuration {
        var configuration = Client.Configuration()
        configuration.timeouts = .none
        return configuration
    }
}

extension ReconnectingEventStream.Element {
    /// The element as text: `connected 200`, `event 7:data`, or `disconnected 1 truncated, final`.
    var line: String {
        switch self {
        case .connected(let response): "connected \(response.statusCode)"
        case .event(let event): "event \(event.id):\(event.data)"
        case .disconnected(let disconnection, let attempt):
            "disconnected \(attempt) \(disconnection.error?.kind ?? "ended")"
                + (disconnection.retryDelay == nil ? ", final" : "")
        }
    }
}

extension ClientError {
    /// The kind of the error, as text.
    fileprivate var kind: String {
        switch self {
        case .truncated: "truncated"
        case .connectionLost: "lost"
        case .connectionFailed(let reason, _): "\(reason)"
        case .validationFailed(let failure, _): "\(failure.rule)"
        case .timedOut(let timeout, _, _): "timed out: \(timeout)"
        case .valueTooLong: "too long"
        case .cancelled: "cancelled"
        default: "\(self)"
        }
    }
}

/// Reads a sequence to its end, and returns its elements as text.
func lines(_ sequence: ReconnectingEventStream) async -> (lines: [String], error: ClientError?) {
    let (elements, error) = await collected(sequence)
    return (elements.map(\.line), error)
}

extension Journal where Entry == String {
    /// Notes each element of a sequence, and returns the error that ended the sequence, if any.
    func follow(_ sequence: ReconnectingEventStream) async -> ClientError? {
        await failure { () async throws(ClientError) in
            for try await element in sequence { self.note(element.line) }
        }
    }
}
