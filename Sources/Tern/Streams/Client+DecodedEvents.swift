// SPDX-License-Identifier: Apache-2.0
public import TernErrors
public import TernFoundation
public import TernRequests

extension Client {
    /// Fetches a URL and returns the decoded data of its server-sent events, as ``events(for:as:until:by:options:delegate:)``
    /// does.
    public func events<Value: Decodable>(
        from url: URL,
        as type: Value.Type,
        until finalEvent: FinalEvent? = nil,
        by decoder: (any BodyDecoder)? = nil,
        options: EventStreamOptions = EventStreamOptions(),
        delegate: (any TaskDelegate)? = nil
    ) async throws(ClientError) -> DecodedEvents<Value> {
        let request = Request(url: url)
        return try await self.events(
            for: request,
            as: type,
            until: finalEvent,
            by: decoder,
            options: options,
            delegate: delegate
        )
    }

    /// Sends a request and returns the decoded data of the server-sent events of the response as they arrive.
    ///
    /// ```swift
    /// let request = Request(.post, "https://api.example.com/answers").body(json: question)
    /// let deltas = try await client.events(
    ///     for: request,
    ///     as: Delta.self,
    ///     until: .data("[DONE]")
    /// )
    /// for try await delta in deltas { print(delta.text, terminator: "") }
    /// ```
    ///
    /// The sequence decodes the data of the events, and leaves out comments. In everything else, this method does the same as
    /// ``events(for:until:options:delegate:)``.
    ///
    /// - Parameters:
    ///   - request: The request to send, with any method and body.
    ///   - type: The type of each event's data.
    ///   - finalEvent: The rule that recognizes the last event; with `nil`, the stream ends with the response. If the rule
    ///     delivers the final event, the decoder must be able to decode its data.
    ///   - decoder: Decodes the data of each event. Defaults to the client's ``Configuration/decoder``.
    ///   - options: The settings of the stream.
    ///   - delegate: Handles this call's challenges and events. Retained at least until the stream ends or is released.
    /// - Returns: The values, with the response in ``DecodedEvents/response``.
    /// - Throws: `ClientError`; see ``events(for:until:options:delegate:)``.
    public func events<Value: Decodable>(
        for request: Request,
        as type: Value.Type,
        until finalEvent: FinalEvent? = nil,
        by decoder: (any BodyDecoder)? = nil,
        options: EventStreamOptions = EventStreamOptions(),
        delegate: (any TaskDelegate)? = nil
    ) async throws(ClientError) -> DecodedEvents<Value> {
        DecodedEvents(
            stream: try await self.events(for: request, until: finalEvent, options: options, delegate: delegate),
            decoder: decoder ?? self.configuration.decoder,
            keptByteCount: self.configuration.maximumErrorBodyByteCount
        )
    }
}
