// SPDX-License-Identifier: Apache-2.0

/// The buffers of the event that is being received: its type, its data and its ID (WHATWG HTML §9.2.6).
struct EventBuffer: Sendable {
    /// The maximum length of an ID in bytes.
    ///
    /// The client sends the ID back in a field of the next request, and many servers refuse a request whose fields have
    /// more than 8 KiB in total. A longer ID would make a server refuse every later request.
    static let maximumIDByteCount = 4096

    /// The value of the last `id` field that a blank line has followed; the initial ID if there is none.
    private(set) var lastEventID: String

    /// The last reconnection time that the server sent; `nil` if it has sent none.
    private(set) var reconnectionTime: Duration?

    /// Whether the buffers hold a field that takes effect only at the end of the event.
    private(set) var isPending = false

    /// The number of bytes of data that the buffer holds.
    var heldByteCount: Int { self.data.count }

    /// The data of the event so far; empty while the only data is the value of one `data` field in the current chunk.
    ///
    /// That value stays in a ``ChunkValue`` until a second `data` field follows or the chunk ends.
    private var data: [UInt8] = []
    private var hasData = false
    /// The type of the event; `nil` if it has none, or an empty one.
    private var type: String?
    private var id: String
    private var hasNewID = false
    private var repeatedType = RepeatedText()
    private var repeatedID = RepeatedText()

    /// Creates empty buffers.
    ///
    /// - Parameter lastEventID: The last event ID of an earlier connection to the same stream; may be empty.
    init(lastEventID: String) {
        self.lastEventID = lastEventID
        self.id = lastEventID
    }

    /// A part of a chunk: the value of the only `data` field of an event so far, which has not been copied.
    struct ChunkValue {
        var bytes: UnsafeRawBufferPointer
        var isASCII: Bool
    }

    /// Processes a field other than a comment.
    ///
    /// - Parameters:
    ///   - field: The field.
    ///   - line: The line that contains the field.
    ///   - isASCII: Whether the line is known to be ASCII.
    ///   - value: The data of the event so far, if it is part of the chunk. The function keeps the data of a first
    ///     `data` field in this parameter, and copies it as soon as a second one follows.
    mutating func process(
        _ field: EventField,
        of line: UnsafeRawBufferPointer,
        isASCII: Bool,
        _ value: inout ChunkValue?
    ) {
        switch field {
        case .data(let range):
            self.isPending = true
            let bytes = UnsafeRawBufferPointer(rebasing: line[range])
            guard self.hasData else {
                self.hasData = true
                value = ChunkValue(bytes: bytes, isASCII: isASCII)
                return
            }
            // "Append the field value to the data buffer, then append a single U+000A LINE FEED (LF) character to the
            // data buffer." Here, the LF comes before every value but the first, so that none has to be removed.
            self.copy(&value)
            self.data.append(.lineFeed)
            self.data.append(contentsOf: bytes)
        case .event(let range):
            self.isPending = true
            let bytes = UnsafeRawBufferPointer(rebasing: line[range])
            // "If the event type buffer has a value other than the empty string, change the type of the newly created
            // event to equal the value of the event type buffer."
            self.type = bytes.isEmpty ? nil : self.repeatedType.text(of: bytes, isASCII: isASCII)
        case .id(let range):
            // "If the field value does not contain U+0000 NULL, then set the last event ID buffer to the field value.
            // Otherwise, ignore the field."
            guard range.count <= Self.maximumIDByteCount, !line[range].contains(0) else { return }
            self.isPending = true
            self.hasNewID = true
            self.id = self.repeatedID.text(of: UnsafeRawBufferPointer(rebasing: line[range]), isASCII: isASCII)
        case .retry(let time): self.reconnectionTime = time
        case .comment, .other: return
        }
    }

    /// Copies the data that is part of a chunk, before the chunk is released.
    mutating func copy(_ value: inout ChunkValue?) {
        guard let bytes = value?.bytes else { return }
        self.data.append(contentsOf: bytes)
        value = nil
    }

    /// Ends the event at a blank line.
    ///
    /// - Parameter value: The data of the event, if it is part of the chunk.
    /// - Returns: The data of the event, to pass to ``takeEvent(_:)``; `nil` if the event has no data.
    mutating func end(_ value: inout ChunkValue?) -> String? {
        guard self.isPending else { return nil }
        self.isPending = false
        // "Set the last event ID string of the event source to the value of the last event ID buffer. The buffer does
        // not get reset."
        if self.hasNewID { self.lastEventID = self.id }
        self.hasNewID = false
        // "If the data buffer is an empty string, set the data buffer and the event type buffer to the empty string and
        // return."
        guard self.hasData else {
            self.type = nil
            return nil
        }
        self.hasData = false
        if let data = value {
            value = nil
            return String(utf8: data.bytes, isASCII: data.isASCII)
        }
        defer { self.data.removeAll(keepingCapacity: self.data.count <= EventDecoder.keptByteCount) }
        return String(decoding: self.data, as: UTF8.self)
    }

    /// Returns the event that has ended.
    ///
    /// - Parameter data: The data of the event.
    /// - Returns: The event.
    @inline(__always)
    mutating func takeEvent(_ data: String) -> ServerSentEvent {
        let type = self.type.take()
        return ServerSentEvent(event: type ?? "message", data: data, id: self.lastEventID)
    }

    /// Discards the data of the event.
    mutating func discardData() { self.data = [] }
}
