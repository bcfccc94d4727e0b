// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import NIOCore
public import TernErrors
public import TernStreams
public import TernTransport

/// The server-sent events of one response, as they arrive (WHATWG HTML §9.2).
///
/// ```swift
/// for try await event in try await client.events(from: url) {
///     print(event.event, event.data)
/// }
/// ```
///
/// Except over `URLSession` on Linux, a slow loop slows the server down. When you leave the loop and release this value, the client
/// frees the connection. The events can be read only once. Unless another error ends it first, the sequence ends in one of three
/// ways:
///
/// | end | meaning |
/// | --- | --- |
/// | `nil`, without a ``FinalEvent`` | the server ended the response, and not within an event |
/// | `nil`, with a ``FinalEvent`` | the final event arrived, even without its blank line, or the status was 204 |
/// | `ClientError.truncated` | the response ended in any other way |
///
/// Without TLS, a response that ends with its connection, as in HTTP/1.0, may look complete if the connection breaks between two
/// events. Use a ``FinalEvent`` where the end matters. `Timeouts.idle` limits the time in which the server sends
/// nothing, not even a comment.
public struct EventStream: AsyncSequence, Sendable {
    /// The response whose body is the stream.
    public var response: Response { self.body.reply.response }

    let body: SharedBody
    let finalEvent: FinalEvent?
    let options: EventStreamOptions
    let lastEventID: String

    public func makeAsyncIterator() -> Iterator { Iterator(self) }

    /// An iterator that returns the events, for one task only.
    public struct Iterator: AsyncIteratorProtocol {
        private let stream: EventStream
        private var reader: SharedBody.Reader
        private var decoder: EventDecoder
        private var bytes = ByteBuffer()
        private var offset = 0
        private var readByteCount: Int64 = 0
        /// The offsets in the body at which the last event and the event before it end.
        private var ends: (last: Int64, previous: Int64) = (0, 0)
        private(set) var eventCount = 0
        /// Whether the server has nothing more to send: the final event arrived, or the status was 204.
        private(set) var isFinished: Bool

        init(_ stream: EventStream) {
            self.stream = stream
            self.isFinished = stream.response.statusCode == 204
            self.reader = SharedBody.Reader(stream.body)
            self.decoder = EventDecoder(
                maximumEventByteCount: stream.options.maximumEventByteCount,
                lastEventID: stream.lastEventID,
                deliversComments: stream.options.includesComments
            )
        }

        /// Returns the next event, or `nil` at the end of the stream.
        ///
        /// - Throws: `ClientError`, such as `.truncated` when the response ended early; `.valueTooLong` when an event exceeds the
        ///   limit; `.timedOut` when the server was silent for too long; `.cancelled` when the task is cancelled while it waits;
        ///   `.bodyMisused` when another iterator has come to the end or an error before this one began.
        @inlinable @inline(__always)
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(ClientError) -> ServerSentEvent? {
            if let event = try self.availableEvent() { return event }
            return try await self.awaitedEvent()
        }

        @usableFromInline
        nonisolated(nonsending) mutating func awaitedEvent() async throws(ClientError) -> ServerSentEvent? {
            while !self.reader.isOver {
                guard let bytes = try await self.reader.next() else {
                    if let event = self.finalEventWithoutBlankLine() { return event }
                    try self.checkEnd()
                    return nil
                }
                self.readByteCount += Int64(bytes.readableBytes)
                self.bytes = bytes
                self.offset = 0
                if let event = try self.availableEvent() { return event }
            }
            return nil
        }

        /// Returns the next event if it has arrived, as most have; synchronous, because that is fast.
        @usableFromInline
        mutating func availableEvent() throws(ClientError) -> ServerSentEvent? {
            guard !self.reader.isOver else { return nil }
            let event: ServerSentEvent?
            do throws(EventViolation) {
                event = try Self.event(&self.decoder, self.bytes, &self.offset)
            } catch {
                self.reader.fail()
                switch error {
                case .tooLong(let limit):
                    throw .valueTooLong(limit: limit, at: self.position(of: nil), self.stream.body.context(.body))
                }
            }
            guard let event else { return nil }
            if event.comment == nil {
                if let rule = self.stream.finalEvent, rule.recognizes(event, false) {
                    self.isFinished = true
                    self.reader.end()
                    self.stream.body.call.delegation?.hasWholeContent = true
                    self.stream.body.reply.body.finish(on: self.stream.body.call.clock)
                    guard rule.isDelivered else { return nil }
                }
                self.eventCount += 1
                self.ends = (self.readByteCount - Int64(self.bytes.readableBytes - self.offset), self.ends.last)
            }
            return event
        }

        private static func event(
            _ decoder: inout EventDecoder,
            _ bytes: ByteBuffer,
            _ offset: inout Int
        ) throws(EventViolation) -> ServerSentEvent? {
            try decoder.next(in: bytes.readableBytesSpan, from: &offset)
        }

        /// Returns the final event if the response has ended before its blank line, as some services end with `data: [DONE]`.
        ///
        /// "Once the end of the file is reached, any pending data must be discarded" (WHATWG HTML §9.2.6). If its last line has no
        /// end, a rule must know the data: one that looks only at the type would deliver half of it.
        private mutating func finalEventWithoutBlankLine() -> ServerSentEvent? {
            guard let rule = self.stream.finalEvent, !self.isFinished else { return nil }
            var decoder = self.decoder
            let endsWithinLine = decoder.endsWithinLine
            guard let event = decoder.endEvent(), rule.recognizes(event, endsWithinLine) else { return nil }
            self.decoder = decoder
            self.isFinished = true
            guard rule.isDelivered else { return nil }
            self.eventCount += 1
            self.ends = (self.readByteCount, self.ends.last)
            return event
        }

        private func checkEnd() throws(ClientError) {
            guard !self.isFinished, self.stream.finalEvent != nil || !self.decoder.isAtBoundary else { return }
            throw .truncated(received: self.readByteCount, expected: nil, self.stream.body.context(.body))
        }

        // MARK: For decoding and reconnecting

        /// Ends the sequence because the data of an event cannot be decoded.
        mutating func fail() { self.reader.fail() }

        /// The position of an event that the iterator has just returned, or is reading.
        func position(of event: ServerSentEvent?) -> StreamPosition {
            guard let event else { return StreamPosition(index: self.eventCount, byteOffset: self.ends.last) }
            return StreamPosition(index: self.eventCount - 1, byteOffset: self.ends.previous, event: event.event)
        }

        var lastEventID: String { self.decoder.lastEventID }

        var reconnectionTime: Duration? { self.decoder.reconnectionTime }
    }
}

@available(*, unavailable)
extension EventStream.Iterator: Sendable {}
