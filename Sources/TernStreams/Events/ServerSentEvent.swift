// SPDX-License-Identifier: Apache-2.0

/// An event of a stream of server-sent events.
///
/// A server sends such events as lines of text with the media type `text/event-stream`. A blank line ends each event.
/// Each property documents the fields from which its value comes.
///
/// A comment, which is a line that starts with a colon, is not an event. Servers send comments to keep a connection
/// open. The client delivers a comment only on request, as a value whose ``comment`` is not `nil`.
///
/// - SeeAlso: WHATWG HTML §9.2.6, "Interpreting an event stream".
public struct ServerSentEvent: Hashable, Sendable {
    /// The type of the event: the value of its last `event` field.
    ///
    /// The type is `"message"` if the event has no `event` field, or if the value of that field is empty. For a
    /// comment, the type is empty.
    public let event: String

    /// The last event ID after this event: the value of the last `id` field of this event or of an earlier event.
    ///
    /// Before the server has sent an ID, this is the ID with which the app began the stream, by default an empty one.
    /// The ID is also empty if the value of the last `id` field is empty. A field whose value contains U+0000 is
    /// ignored. After a reconnection, the client sends the ID in the field `Last-Event-ID`, so that the server can
    /// continue the stream after this event (WHATWG HTML §9.2.4).
    public let id: String

    /// The text of the event or of the comment.
    ///
    /// One property for both keeps the type small. Swift 6.3 copies a value of more than seven words once more each time
    /// a function creates it.
    @usableFromInline let text: String
    /// Whether this value is a comment.
    @usableFromInline let isComment: Bool

    /// The text of the event: the values of its `data` fields, joined by line feeds.
    ///
    /// U+FFFD replaces bytes that are not valid UTF-8. The text is empty if the value of the only `data` field is
    /// empty. An event without a `data` field is never delivered. For a comment, the text is empty.
    @inlinable public var data: String { self.isComment ? "" : self.text }

    /// The text of a comment after its colon, without one leading space; `nil` for an event.
    @inlinable public var comment: String? { self.isComment ? self.text : nil }

    /// Creates an event or a comment.
    ///
    /// - Parameters:
    ///   - event: The type of the event. Defaults to `"message"`, the type of an event that the server does not name.
    ///   - data: The text of the event; has no effect if `comment` is not `nil`. Defaults to an empty text.
    ///   - id: The last event ID after the event. Defaults to an empty ID: the server has sent none.
    ///   - comment: The text of a comment. Defaults to `nil`: the value is an event.
    public init(event: String = "message", data: String = "", id: String = "", comment: String? = nil) {
        self.event = event
        self.id = id
        self.text = comment ?? data
        self.isComment = comment != nil
    }
}
