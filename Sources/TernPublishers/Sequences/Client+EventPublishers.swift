// SPDX-License-Identifier: Apache-2.0
public import TernFoundation

extension Client {
    /// Returns a publisher of the server-sent events at a URL; see ``eventsPublisher(for:until:options:delegate:)``.
    public func eventsPublisher(
        from url: URL,
        until finalEvent: FinalEvent? = nil,
        options: EventStreamOptions = EventStreamOptions(),
        delegate: (any TaskDelegate)? = nil
    ) -> BodyPublisher<ServerSentEvent> {
        self.eventsPublisher(for: Request(url: url), until: finalEvent, options: options, delegate: delegate)
    }

    /// Returns a publisher of the server-sent events of a response, as they arrive.
    ///
    /// After the end of the stream, the publisher does not connect again; see
    /// ``reconnectingEventsPublisher(for:lastEventID:until:policy:options:delegate:)``.
    ///
    /// - Parameters:
    ///   - request: The request to send, with any method and body.
    ///   - finalEvent: The rule that recognizes the last event; with `nil`, the publisher ends with the response.
    ///   - options: The settings of the stream.
    ///   - delegate: Handles the challenges and events of each subscriber's call.
    /// - Returns: A publisher of the events.
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
    /// Returns a publisher of the decoded data of the events at a URL; see
    /// ``eventsPublisher(for:as:until:by:options:delegate:)``.
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

    /// Returns a publisher like ``eventsPublisher(for:until:options:delegate:)``, but of the decoded data of each event.
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
