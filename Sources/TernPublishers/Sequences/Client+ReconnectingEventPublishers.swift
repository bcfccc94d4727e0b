// SPDX-License-Identifier: Apache-2.0
public import TernFoundation

extension Client {
    /// Returns a publisher of the server-sent events at a URL; the publisher sends the `GET` again when a stream ends.
    ///
    /// - Parameters:
    ///   - url: An `http` or `https` URL.
    ///   - lastEventID: The ID of the last event that the program has seen, from an earlier run for example. Defaults
    ///     to an empty ID, with which the first request has no `Last-Event-ID`.
    ///   - finalEvent: The rule that recognizes the last event. Defaults to `nil`: the policy decides when the
    ///     publisher finishes.
    ///   - policy: Decides whether and when to connect again. Defaults to `EventReconnectionPolicy()`.
    ///   - options: The settings of each stream. Defaults to the default settings.
    ///   - delegate: Handles the challenges and events of each call. Defaults to `nil`.
    /// - Returns: A publisher of the elements; see
    ///   ``reconnectingEventsPublisher(for:lastEventID:until:policy:options:delegate:)``.
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

    /// Returns a publisher of server-sent events; the publisher sends the request again when a stream ends.
    ///
    /// The publisher publishes the elements of `reconnectingEvents(for:)`: the events, and between them each connection
    /// and each disconnection. Any number of subscribers is possible. Each has its own requests, and learns of the end
    /// only when it asks for one more element. The client connects, and waits before it connects again, only when the
    /// subscriber has asked for an element. Cancelling the subscription frees the connection.
    ///
    /// - Parameters:
    ///   - request: The request, with any method and body.
    ///   - lastEventID: The ID of the last event that the program has seen, from an earlier run for example. Defaults
    ///     to an empty ID, with which the first request has no `Last-Event-ID`.
    ///   - finalEvent: The rule that recognizes the last event. Defaults to `nil`: the policy decides when the
    ///     publisher finishes.
    ///   - policy: Decides whether and when to connect again. Defaults to `EventReconnectionPolicy()`.
    ///   - options: The settings of each stream. Defaults to the default settings.
    ///   - delegate: Handles the challenges and events of each call. Defaults to `nil`.
    /// - Returns: A publisher of the elements. It fails after a failure that the policy makes final.
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
