// SPDX-License-Identifier: Apache-2.0
public import TernFoundation

extension Client {
    /// Returns a publisher of the events of a `GET`; see
    /// ``reconnectingEventsPublisher(for:lastEventID:until:policy:options:delegate:)``.
    public func reconnectingEventsPublisher(
        from url: URL,
        lastEventID: String = "",
        until finalEvent: FinalEvent? = nil,
        policy: EventReconnectionPolicy = EventReconnectionPolicy(),
        options: EventStreamOptions = EventStreamOptions(),
        delegate: (any TaskDelegate)? = nil
    ) -> AsyncSequencePublisher<ReconnectingEventStream> {
        self.reconnectingEvents(
            from: url,
            lastEventID: lastEventID,
            until: finalEvent,
            policy: policy,
            options: options,
            delegate: delegate
        ).publisher
    }

    /// Returns a publisher of server-sent events, which sends the request again when a stream ends, as far as its policy allows.
    ///
    /// The elements and the parameters are those of `reconnectingEvents(for:)`. Each subscriber has its own requests. The client
    /// connects, and waits before it connects again, only when the subscriber has asked for an element.
    ///
    /// - Parameters:
    ///   - request: The request, with any method and body.
    ///   - lastEventID: The ID of the last event that the program has seen; empty if there is none.
    ///   - finalEvent: The rule that recognizes the last event; with `nil`, no event is the last one.
    ///   - policy: Decides whether and when to connect again.
    ///   - options: The settings of each stream.
    ///   - delegate: Handles the challenges and events of each call.
    /// - Returns: A publisher of the elements. It fails if it does not connect again after a failure.
    public func reconnectingEventsPublisher(
        for request: Request,
        lastEventID: String = "",
        until finalEvent: FinalEvent? = nil,
        policy: EventReconnectionPolicy = EventReconnectionPolicy(),
        options: EventStreamOptions = EventStreamOptions(),
        delegate: (any TaskDelegate)? = nil
    ) -> AsyncSequencePublisher<ReconnectingEventStream> {
        self.reconnectingEvents(
            for: request,
            lastEventID: lastEventID,
            until: finalEvent,
            policy: policy,
            options: options,
            delegate: delegate
        ).publisher
    }
}
