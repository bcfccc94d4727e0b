// SPDX-License-Identifier: Apache-2.0

/// An event of a stream of server-sent events, or a comment.
///
/// A server sends events as lines of text with the media type `text/event-stream`; a blank line ends an event. A comment is a
/// line that starts with a colon; servers may send comments to keep a connection open. The client delivers a comment only if
/// `EventStreamOptions.includesComments` is `true`, as a value whose ``comment`` is not `nil`.
///
/// - SeeAlso: WHATWG HTML §9.2.6, "Interpreting an event stream".
public struct ServerSentEvent: Hashable, Sendable {
    /// The value of the event's last `event` field; `"message"` if that is missing or empty, and empty for a received comment.
    public let event: String

    /// The value of the last `id` field of this event or of an earlier event.
    ///
    /// Before the server has sent an ID, this is the ID with which the app began the stream, by default an empty one. A field is
    /// ignored if its value contains U+0000 or is longer than 4096 bytes. When the client reconnects, it sends the last ID, unless
    /// that is empty, in the field `Last-Event-ID`, so that the server can continue after that event (WHATWG HTML §9.2.4).
    public let id: String

    /// The text of the event or of the comment, in one property, because Swift copies a value of more than seven words more often.
    @usableFromInline let text: String
    @usableFromInline let isComment: Bool

    /// The values of the event's `data` fields, joined by line feeds, with U+FFFD for invalid UTF-8; empty for a comment.
    ///
    /// An event without a `data` field is never delivered.
    @inlinable public var data: String { self.isComment ? "" : self.text }

    /// The text of a comment after its colon, and after one space if there is one; `nil` for an event.
    @inlinable public var comment: String? { self.isComment ? self.text : nil }

    /// Creates an event or a comment.
    ///
    /// - Parameters:
    ///   - event: The type of the event.
    ///   - data: The text of the event; has no effect if `comment` is not `nil`.
    ///   - id: The last event ID after the event; empty if there is none.
    ///   - comment: The text of a comment; `nil` for an event.
    public init(event: String = "message", data: String = "", id: String = "", comment: String? = nil) {
        self.event = event
        self.id = id
        self.text = comment ?? data
        self.isComment = comment != nil
    }
}
