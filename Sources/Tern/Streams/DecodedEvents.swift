// SPDX-License-Identifier: Apache-2.0
public import TernErrors
import TernFoundation
import TernStreams
public import TernTransport

/// The values of the server-sent events of one response, as they arrive; the sequence ends like its ``EventStream``.
///
/// The sequence decodes on the caller's actor, because most events are short. An event whose data cannot be decoded ends the
/// sequence with an error. To read events of several types, iterate over an ``EventStream``, and decode each event by its type.
public struct DecodedEvents<Value: Decodable>: AsyncSequence {
    /// The response whose body is the stream.
    public var response: Response { self.stream.response }

    let stream: EventStream
    let decoder: any BodyDecoder
    let keptByteCount: Int

    public func makeAsyncIterator() -> Iterator { Iterator(self) }

    /// An iterator that returns the values, for one task only.
    public struct Iterator: AsyncIteratorProtocol {
        private let values: DecodedEvents
        private var events: EventStream.Iterator

        init(_ values: DecodedEvents) {
            self.values = values
            self.events = values.stream.makeAsyncIterator()
        }

        /// Returns the value of the next event, or `nil` at the end of the stream.
        ///
        /// - Throws: `ClientError`: `.decodingFailed`, which names the event and its place, when its data cannot be decoded; and
        ///   the errors of ``EventStream/Iterator/next(isolation:)``.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(ClientError) -> Value? {
            // Comments have no data.
            repeat {
                guard let event = try await self.events.next() else { return nil }
                guard event.comment == nil else { continue }
                return try self.value(of: event)
            } while true
        }

        private mutating func value(of event: ServerSentEvent) throws(ClientError) -> Value {
            let (stream, data) = (self.values.stream, Data(event.data.utf8))
            do {
                return try self.values.decoder.decode(Value.self, from: data, of: stream.response)
            } catch {
                self.events.fail()
                var failure = DecodingFailure(error, decoding: Value.self)
                failure.keep(data, upTo: self.values.keptByteCount)
                failure.position = self.events.position(of: event)
                throw .decodingFailed(failure, stream.body.context(.decode))
            }
        }
    }
}

extension DecodedEvents: Sendable where Value: SendableMetatype {}

@available(*, unavailable)
extension DecodedEvents.Iterator: Sendable {}

extension DecodingFailure {
    mutating func keep(_ bytes: Data, upTo byteCount: Int) {
        self.body = bytes.beginning(byteCount)
        self.isBodyComplete = self.body.count == bytes.count
    }
}
