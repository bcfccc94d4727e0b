// SPDX-License-Identifier: Apache-2.0

/// The buffers of the event that is being received: its type, its data and its ID (WHATWG HTML §9.2.6).
struct EventBuffer: Sendable {
    /// The maximum length of an ID in bytes, as many servers refuse a request with more than 8 KiB of fields.
    ///
    /// Beyond it, the field `id` is ignored.
    static let maximumIDByteCount = 4096

    /// The value of the last valid `id` field that a blank line has followed; the initial ID if there is none.
    private(set) var lastEventID: String

    private(set) var reconnectionTime: Duration?

    /// Whether the buffers hold a field that takes effect only at the end of the event.
    private(set) var isPending = false

    var heldByteCount: Int { self.data.count }

    /// The data of the event so far; the value of an only `data` field stays in a ``ChunkValue`` until the chunk ends.
    private var data: [UInt8] = []
    private var hasData = false
    private var type: String?
    private var id: String
    private var hasNewID = false
    private var repeatedType = RepeatedText()
    private var repeatedID = RepeatedText()

    init(lastEventID: String) {
        self.lastEventID = lastEventID
        self.id = lastEventID
    }

    /// The value of the only `data` field of an event so far, which is a part of the chunk and has not been copied.
    struct ChunkValue {
        var bytes: UnsafeRawBufferPointer
        var isASCII: Bool
    }

    /// Processes a field that is not a comment; keeps a first `data` field in `value`, and copies it when a second one follows.
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

    /// Ends the event at a blank line, and returns its data to pass to ``takeEvent(_:)``; `nil` if it has none.
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

    @inline(__always)
    mutating func takeEvent(_ data: String) -> ServerSentEvent {
        let type = self.type.take()
        return ServerSentEvent(event: type ?? "message", data: data, id: self.lastEventID)
    }

    mutating func discardData() { self.data = [] }
}
