// SPDX-License-Identifier: Apache-2.0
import TernStreams

/// The result of decoding a whole input.
struct EventOutcome: Equatable, Sendable {
    var events: [ServerSentEvent] = []
    var lastEventID = ""
    var reconnectionTime: Duration?
    var isAtBoundary = true
    var violation: EventViolation?
}

extension EventDecoder {
    /// Returns the outcome of an input that arrives in chunks.
    mutating func outcome(of chunks: [ArraySlice<UInt8>]) -> EventOutcome {
        var outcome = EventOutcome()
        do throws(EventViolation) {
            for chunk in chunks { try self.read(Array(chunk)) { outcome.events.append($0) } }
        } catch {
            outcome.violation = error
        }
        outcome.lastEventID = self.lastEventID
        outcome.reconnectionTime = self.reconnectionTime
        outcome.isAtBoundary = self.isAtBoundary
        return outcome
    }

    /// Returns the events that end in one chunk.
    mutating func events(in text: String) throws(EventViolation) -> [ServerSentEvent] {
        try self.events(in: Array(text.utf8))
    }

    /// Returns the events that end in one chunk.
    mutating func events(in chunk: [UInt8]) throws(EventViolation) -> [ServerSentEvent] {
        var events: [ServerSentEvent] = []
        try self.read(chunk) { events.append($0) }
        return events
    }

    /// Passes the events that end in one chunk to a closure.
    mutating func read(_ chunk: [UInt8], _ receive: (ServerSentEvent) -> Void) throws(EventViolation) {
        var offset = 0
        while let event = try self.next(in: ContiguousArray(chunk).span.bytes, from: &offset) { receive(event) }
    }
}
