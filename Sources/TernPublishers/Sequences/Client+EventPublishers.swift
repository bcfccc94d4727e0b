// SPDX-License-Identifier: Apache-2.0
public import TernFoundation

extension Client {
    /// Returns a publisher of the server-sent events at a URL.
    ///
    /// - Parameters:
    ///   - url: An `http` or `https` URL.
    ///   - finalEvent: The rule that recognizes the last event. Defaults to `nil`: the publisher finishes with the
    ///     response.
    ///   - options: The settings of the stream. Defaults to the default settings.
    ///   - delegate: Handles the challenges and events of each subscriber's call. Defaults to `nil`.
    /// - Returns: A publisher of the events; see ``eventsPublisher(for:until:options:delegate:)``.
    public func eventsPublisher(
        from url: URL,
        until finalEvent: FinalEvent? = nil,
        options: EventStreamOptions = EventStreamOptions(),
        delegate: (any TaskDelegate)? = nil
    ) -> BodyPublisher<ServerSentEvent> {
        self.eventsPublisher(for: Request(url: url), until: finalEvent, options: options, delegate: delegate)
    }

    /// Returns a publisher of the server-sent events of the response to a request, as they arrive.
    ///
    /// The publisher sends one request for each subscriber. After the end of the stream, it does not connect again; see
    /// ``reconnectingEventsPublisher(for:lastEventID:until:policy:options:delegate:)``.
    ///
    /// - Parameters:
    ///   - request: The request to send, with any method and body.
    ///   - finalEvent: The rule that recognizes the last event. Defaults to `nil`: the publisher finishes with the
    ///     response.
    ///   - options: The settings of the stream. Defaults to the default settings.
    ///   - delegate: Handles the challenges and events of each subscriber's call. Defaults to `nil`.
    /// - Returns: A publisher of the events. It fails with the errors of `events(for:)` and of its sequence.
    public func eventsPublisher(
        for request: Request,
        until finalEvent: FinalEvent? = nil,
        options: EventStreamOptions = EventStreamOptions(),
        delegate: (any TaskDelegate)? = nil
    ) -> BodyPublisher<ServerSentEvent> {
        BodyPublisher { () throws(ClientError) in
            try await self.events(for: request, until: finalEvent, options: options, delegate: delegate)
        }
    }
}

extension Client {
    /// Returns a publisher of the decoded data of the server-sent events at a URL.
    ///
    /// - Parameters:
    ///   - url: An `http` or `https` URL.
    ///   - type: The type of each event's data.
    ///   - finalEvent: The rule that recognizes the last event. Defaults to `nil`: the publisher finishes with the
    ///     response.
    ///   - decoder: Decodes the data of each event. Defaults to that of the client.
    ///   - options: The settings of the stream. Defaults to the default settings.
    ///   - delegate: Handles the challenges and events of each subscriber's call. Defaults to `nil`.
    /// - Returns: A publisher of the values; see ``eventsPublisher(for:as:until:by:options:delegate:)``.
    public func eventsPublisher<Value: Decodable & Sendable>(
        from url: URL,
        as type: Value.Type,
        until finalEvent: FinalEvent? = nil,
        by decoder: (any BodyDecoder)? = nil,
        options: EventStreamOptions = EventStreamOptions(),
        delegate: (any TaskDelegate)? = nil
    ) -> BodyPublisher<Value> {
        let request = Request(url: url)
        return self.eventsPublisher(
            for: request,
            as: type,
            until: finalEvent,
            by: decoder,
            options: options,
            delegate: delegate
        )
    }

    /// Returns a publisher of the decoded data of the server-sent events of the response to a request.
    ///
    /// - Parameters:
    ///   - request: The request to send, with any method and body.
    ///   - type: The type of each event's data.
    ///   - finalEvent: The rule that recognizes the last event. Defaults to `nil`: the publisher finishes with the
    ///     response.
    ///   - decoder: Decodes the data of each event. Defaults to that of the client.
    ///   - options: The settings of the stream. Defaults to the default settings.
    ///   - delegate: Handles the challenges and events of each subscriber's call. Defaults to `nil`.
    /// - Returns: A publisher of the values. It fails with the errors of `events(for:as:)` and of its sequence.
    public func eventsPublisher<Value: Decodable & Sendable>(
        for request: Request,
        as type: Value.Type,
        until finalEvent: FinalEvent? = nil,
        by decoder: (any BodyDecoder)? = nil,
        options: EventStreamOptions = EventStreamOptions(),
        delegate: (any TaskDelegate)? = nil
    ) -> BodyPublisher<Value> {
        BodyPublisher { () throws(ClientError) in
            try await self.events(
                for: request,
                as: type,
                until: finalEvent,
                by: decoder,
                options: options,
                delegate: delegate
            )
        }
    }
}
