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
///     case .disconnected(let disconnection, let attempt): showOffline(disconnection, attempt)
///     }
/// }
/// ```
///
/// Each further request says in `Last-Event-ID` which event arrived last. A server that keeps its events can then
/// continue after that event. The sequence works only while a task awaits an element: the pause before a new request,
/// and connecting itself, happen inside the call of `next()`. Each iterator sends its own requests. Leaving the loop,
/// or cancelling its task, frees the connection.
///
/// The sequence ends with `nil` after the ``FinalEvent`` and after a response with the status 204. In all other cases,
/// the ``EventReconnectionPolicy`` decides whether the sequence connects again. A sequence that does not connect again
/// ends with `nil` after a response that ended without an error, and throws after a failure. A request that is not
/// safe, such as a `POST`, is never sent again once any part of a response has arrived. The same holds for a request
/// whose body can be read only once.
///
/// A server that is silent for the request's `Timeouts.idle` counts as lost. Comments that the server sends to keep the
/// connection open restart this time.
public struct ReconnectingEventStream: AsyncSequence, Sendable {
    /// An element of the sequence.
    ///
    /// This enumeration is closed: a loop over the sequence handles all elements.
    public enum Element: Sendable {
        /// The server has accepted a request, and its events follow.
        case connected(Response)
        /// An event arrived.
        case event(ServerSentEvent)
        /// A response ended, or none arrived. `attempt` is the number of the next attempt to connect. The number starts
        /// again from 1 after a response that lasted 5 seconds.
        case disconnected(EventDisconnection, attempt: Int)
    }

    /// A function that sends a request.
    ///
    /// The first parameter is the value of `Last-Event-ID`. The second parameter is true for a `GET` that continues
    /// another request.
    typealias Connect = @Sendable (String, Bool) async throws(ClientError) -> EventStream

    let clock: any TransportClock
    let lastEventID: String
    let reconnection: EventReconnection
    let connect: Connect

    public func makeAsyncIterator() -> Iterator { Iterator(self) }

    /// An iterator that returns the elements.
    ///
    /// Use it from one task only.
    public struct Iterator: AsyncIteratorProtocol {
        private enum State {
            /// The caller has not asked for an element yet. Ends when the caller asks for the first one.
            case idle
            /// A response is open. Ends when the response ends.
            case open(EventStream.Iterator)
            /// The iterator will send the request again after this pause, perhaps as a `GET`. Ends when the server has
            /// answered, or the iterator has failed to connect.
            case pausing(Duration, resumesByGet: Bool)
            /// No element follows. Ends when the caller asks for the next one: the iterator then throws this error, or
            /// returns `nil` if there is no error.
            case ending(ClientError?)
            /// The sequence is over.
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
        /// - Throws: `ClientError` when a failure is final; later calls return `nil`. Throws `.cancelled` when the task
        ///   is cancelled; the cancellation ends the sequence and frees the connection.
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

        /// Decides what follows the end of a response.
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
            throw .cancelled(ClientError.Context(phase: .wait, attempt: self.reconnection.attempt))
        }
    }
}

@available(*, unavailable)
extension ReconnectingEventStream.Iterator: Sendable {}
