// SPDX-License-Identifier: Apache-2.0
package import Tern

/// Encodes server-sent events (WHATWG HTML §9.2.5); line breaks in the data arrive as line feeds.
package struct EventEncoder: Sendable {
    /// Empty if there is none.
    package private(set) var lastEventID: String

    package init(lastEventID: String = "") { self.lastEventID = lastEventID }

    /// Returns the bytes of an event or a comment, with an `id` field only if the ID differs from ``lastEventID``.
    package mutating func encode(_ event: ServerSentEvent) throws(TestStallError) -> [UInt8] {
        let id = event.id == self.lastEventID || event.comment != nil ? nil : event.id
        return try self.encode(event, id: id)
    }

    /// Returns the bytes of an event or a comment with the given `id` field.
    mutating func encode(_ event: ServerSentEvent, id: String?) throws(TestStallError) -> [UInt8] {
        var text = ""
        if let comment = event.comment {
            text += Self.line("", try Self.checked(comment, "a comment"))
        } else {
            // The type of an event without an `event` field is `message` (§9.2.6).
            if !event.event.isEmpty, event.event != "message" {
                text += Self.line("event", try Self.checked(event.event, "an event type"))
            }
            if let id {
                text += Self.line("id", try Self.checkedID(id))
                self.lastEventID = id
            }
            for line in Self.lines(event.data) { text += Self.line("data", line) }
        }
        return Array((text + "\n").utf8)
    }

    func encode(retryAfter duration: Duration) throws(TestStallError) -> [UInt8] {
        guard duration >= .zero else {
            throw TestStallError("The script sends a retry field with a negative time, \(duration).")
        }
        // So that the product does not overflow; it still has more digits than any client accepts.
        let (seconds, attoseconds) = min(duration, .seconds(1 << 50)).components
        return Array("retry: \(seconds * 1000 + attoseconds / 1_000_000_000_000_000)\n\n".utf8)
    }

    /// The decoder removes one space at the start of a value, so a space precedes each value that is not empty.
    private static func line(_ name: String, _ value: some StringProtocol) -> String {
        value.isEmpty ? "\(name):\n" : "\(name): \(value)\n"
    }

    private static func lines(_ text: String) -> [Substring] {
        // In Swift, CR LF is one character.
        text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r" || $0 == "\r\n" }
    }

    private static func checked(_ text: String, _ what: String) throws(TestStallError) -> String {
        guard self.lines(text).count == 1 else {
            throw TestStallError("The script sends \(what) that contains a line break, \(text.debugDescription).")
        }
        return text
    }

    private static func checkedID(_ id: String) throws(TestStallError) -> String {
        // "If the field value does not contain U+0000 NULL, then set the last event ID buffer to the field value.
        // Otherwise, ignore the field." (§9.2.6)
        guard !id.unicodeScalars.contains("\0") else {
            throw TestStallError("The script sends an event ID that contains U+0000, \(id.debugDescription).")
        }
        return try self.checked(id, "an event ID")
    }
}
