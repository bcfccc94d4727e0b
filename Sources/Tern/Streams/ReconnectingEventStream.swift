// SPDX-License-Identifier: Apache-2.0
import TernConnections
public import TernErrors
import TernRequests
import TernRetry
public import TernStreams
public import TernTransport

/// A sequence of server-sent events that sends its request again when the stream ends (WHATWG HTML §9.2.3).
///
/// ```swift
/// for try await element in client.reconnectingEvents(from: url) {
///     switch element {
///     case .connected: showOnline()
///     case .event(let event): show(event)
///     case .disconnected(let disconnection, let attempt):
///         showOffline(disconnection, attempt)
///     }
/// }
/// ```
///
/// Each further request sends the last event ID, unless that is empty, in `Last-Event-ID`, so that the server can continue there.
/// The sequence works only while a task awaits an element: the pause before a new request, and connecting itself, happen inside the
/// call of `next()`. Each iterator sends its own requests. Leaving the loop, or cancelling its task, frees the connection.
///
/// The sequence ends with `nil` after the ``FinalEvent`` and after a response with the status 204. Otherwise the
/// ``EventReconnectionPolicy`` decides whether it connects again; if not, it ends with `nil` after a response that ended without
/// an error, and throws after a failure. The sequence never repeats a request that is not safe, such as a `POST`, or whose
/// body can be read only once, after any part of the server's response has arrived. A server that is silent, without even a
/// comment, for `Timeouts.idle` counts as lost.
public struct ReconnectingEventStream: AsyncSequence, Sendable {
    /// An element of the sequence; later versions add no cases.
    public enum Element: Sendable {
        /// The server has accepted a request, and the events of the response follow.
        case connected(Response)
        /// An event arrived.
        case event(ServerSentEvent)
        /// A response ended, or the client got none that it accepts.
        ///
        /// `attempt` is the number of the next attempt to connect, even if the sequence ends instead. It starts again from 1 after
        /// a response that lasted 5 seconds.
        case disconnected(EventDisconnection, attempt: Int)
    }

    /// Sends a request with a `Last-Event-ID`; the second parameter is true for a `GET` that continues another request.
    typealias Connect = @Sendable (String, Bool) async throws(ClientError) -> EventStream

    let clock: any TransportClock
    let lastEventID: String
    let reconnection: EventReconnection
    let connect: Connect

    public func makeAsyncIterator() -> Iterator { Iterator(self) }

    /// An iterator that returns the elements, for one task only.
    public struct Iterator: AsyncIteratorProtocol {
        private enum State {
            /// The caller has not asked for an element yet; ends when it asks for the first one.
            case idle
            /// A response is open; ends with the response.
            case open(EventStream.Iterator)
            /// The request follows after this pause, perhaps as a `GET`; ends when it was answered, has failed or was cancelled.
            case pausing(Duration, resumesByGet: Bool)
            /// No element follows; ends when the caller asks for the next one, and gets this error or `nil`.
            case ending(ClientError?)
            case over
        }

        private let sequence: ReconnectingEventStream
        private var state = State.idle
        private var reconnection: EventReconnection
        private var lastEventID: String
        private var serverDelay: Duration?
        /// The instant at which the server accepted the latest request; `nil` if the response has ended.
        private var opening: ClockInstant?

        init(_ sequence: ReconnectingEventStream) {
            self.sequence = sequence
            self.reconnection = sequence.reconnection
            self.lastEventID = sequence.lastEventID
        }

        /// Returns the next element, or `nil` when the sequence has ended normally.
        ///
        /// - Throws: `ClientError` when the sequence ends with a failure; later calls return `nil`. Throws `.cancelled` when the
        ///   task is cancelled while it waits; that ends the sequence and frees the connection.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(ClientError) -> Element? {
            switch self.state {
            case .idle: return try await self.open(resumesByGet: false)
            case .open(let events): return try await self.read(events)
            case .pausing(let delay, let resumesByGet):
                try await self.pause(delay)
                return try await self.open(resumesByGet: resumesByGet)
            case .ending(let error):
                self.state = .over
                if let error { throw error }
                return nil
            case .over: return nil
            }
        }

        nonisolated(nonsending) private mutating func open(resumesByGet: Bool) async throws(ClientError) -> Element? {
            do throws(ClientError) {
                let stream = try await self.sequence.connect(self.lastEventID, resumesByGet)
                self.state = .open(stream.makeAsyncIterator())
                self.opening = self.sequence.clock.now
                return .connected(stream.response)
            } catch {
                try self.endIfCancelled(error)
                let hasResponse = error.context.response != nil
                return self.disconnected(error, hasResponse: hasResponse, isWanted: false, eventCount: 0)
            }
        }

        nonisolated(nonsending) private mutating func read(
            _ events: EventStream.Iterator
        ) async throws(ClientError) -> Element? {
            // The state must not keep a second copy of the iterator: otherwise, each event would copy its buffers.
            self.state = .over
            var events = events
            var failure: ClientError?
            do throws(ClientError) {
                if let event = try await events.next() {
                    self.state = .open(events)
                    return .event(event)
                }
            } catch {
                try self.endIfCancelled(error)
                failure = error
            }
            self.lastEventID = events.lastEventID
            if let delay = events.reconnectionTime { self.serverDelay = delay }
            let isWanted = failure == nil && events.isFinished
            return self.disconnected(failure, hasResponse: true, isWanted: isWanted, eventCount: events.eventCount)
        }

        private mutating func disconnected(
            _ error: ClientError?,
            hasResponse: Bool,
            isWanted: Bool,
            eventCount: Int
        ) -> Element {
            let clock = self.sequence.clock
            let end = EventReconnection.End(
                error: error,
                hasResponse: hasResponse,
                isWanted: isWanted,
                eventCount: eventCount,
                lastEventID: self.lastEventID,
                serverDelay: self.serverDelay,
                duration: self.opening.take().map { $0.duration(to: clock.now) },
                retryAfter: error?.requestedDelay(now: clock.date)
            )
            var generator = SystemRandomNumberGenerator()
            let (disconnection, step) = self.reconnection.ended(end, using: &generator)
            switch step {
            case .pause(let delay, let resumesByGet): self.state = .pausing(delay, resumesByGet: resumesByGet)
            case .end(let error): self.state = .ending(error)
            }
            return .disconnected(disconnection, attempt: self.reconnection.attempt)
        }

        private mutating func endIfCancelled(_ error: ClientError) throws(ClientError) {
            guard error.isCancellation, Task.isCancelled else { return }
            self.state = .over
            throw error
        }

        nonisolated(nonsending) private mutating func pause(_ delay: Duration) async throws(ClientError) {
            let clock = self.sequence.clock
            let end = clock.now.advanced(by: delay)
            if await Suspension<Bool>().wait(until: end, on: clock, onTimeout: true, onCancel: false) { return }
            self.state = .over
            throw .cancelled(ClientError.Context(phase: .retry, attempt: self.reconnection.attempt))
        }
    }
}

@available(*, unavailable)
extension ReconnectingEventStream.Iterator: Sendable {}
