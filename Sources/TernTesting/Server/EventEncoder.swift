// SPDX-License-Identifier: Apache-2.0
package import Tern

/// Encodes server-sent events as the bytes that a server sends (WHATWG HTML §9.2.5).
///
/// A client that decodes the bytes gets the same events, with one exception: line breaks in the data arrive as line
/// feeds.
package struct EventEncoder: Sendable {
    /// The last event ID that the client has after the encoded events; empty if there is none.
    package private(set) var lastEventID: String

    /// Creates an encoder for a stream.
    ///
    /// - Parameter lastEventID: The last event ID that the client has at the start of the stream. Defaults to an empty
    ///   ID.
    package init(lastEventID: String = "") { self.lastEventID = lastEventID }

    /// Returns the bytes of an event or a comment, including the blank line at its end.
    ///
    /// An `id` field is included only if the event's ID differs from ``lastEventID``.
    ///
    /// - Parameter event: The event or the comment.
    /// - Returns: The bytes.
    /// - Throws: `TestStallError` if the format cannot express the type, the ID or the comment.
    package mutating func encode(_ event: ServerSentEvent) throws(TestStallError) -> [UInt8] {
        let id = event.id == self.lastEventID || event.comment != nil ? nil : event.id
        return try self.encode(event, id: id)
    }

    /// Returns the bytes of an event or a comment with the given `id` field.
    ///
    /// - Parameters:
    ///   - event: The event or the comment. Its own `id` is ignored.
    ///   - id: The value of the `id` field; `nil` for no such field.
    /// - Returns: The bytes.
    /// - Throws: `TestStallError` if the format cannot express the type, the ID or the comment.
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

    /// Returns the bytes of a `retry` field, including a blank line.
    ///
    /// - Parameter duration: The time, of which the field contains the whole milliseconds.
    /// - Returns: The bytes.
    /// - Throws: `TestStallError` if the time is negative.
    func encode(retryAfter duration: Duration) throws(TestStallError) -> [UInt8] {
        guard duration >= .zero else {
            throw TestStallError("The script sends a retry field with a negative time, \(duration).")
        }
        let (seconds, attoseconds) = duration.components
        return Array("retry: \(seconds * 1000 + attoseconds / 1_000_000_000_000_000)\n\n".utf8)
    }

    /// Returns a field with its line feed.
    ///
    /// The decoder removes one space at the start of a value, so a space precedes each value that is not empty.
    private static func line(_ name: String, _ value: some StringProtocol) -> String {
        value.isEmpty ? "\(name):\n" : "\(name): \(value)\n"
    }

    /// Returns the lines of a text, including empty lines.
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
