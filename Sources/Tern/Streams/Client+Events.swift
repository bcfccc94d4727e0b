// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
public import TernErrors
public import TernFoundation
public import TernRequests
import TernStreams
import TernTransport
import TernValidation

extension Client {
    /// Fetches a URL and returns the server-sent events of the response, as ``events(for:until:options:delegate:)`` does.
    public func events(
        from url: URL,
        until finalEvent: FinalEvent? = nil,
        options: EventStreamOptions = EventStreamOptions(),
        delegate: (any TaskDelegate)? = nil
    ) async throws(ClientError) -> EventStream {
        try await self.events(for: Request(url: url), until: finalEvent, options: options, delegate: delegate)
    }

    /// Sends a request and returns the server-sent events of the response as they arrive.
    ///
    /// The call accepts only a successful status (2xx) and the media type `text/event-stream`. If the request or the client has
    /// validation rules, these decide about the status. A response with the status 204 has no events. Unless the request sets
    /// these fields itself, the client adds `Accept: text/event-stream` and `Cache-Control: no-cache`.
    ///
    /// The client does not connect again when the stream ends; see
    /// ``reconnectingEvents(for:lastEventID:until:policy:options:delegate:)``.
    ///
    /// - Parameters:
    ///   - request: The request to send, with any method and body.
    ///   - finalEvent: The rule that recognizes the last event; with `nil`, the stream ends with the response.
    ///   - options: The settings of the stream.
    ///   - delegate: Handles this call's challenges and events. Retained at least until the stream ends or is released.
    /// - Returns: The events, with the response in ``EventStream/response``.
    /// - Throws: `ClientError`, as ``data(for:delegate:)`` does, except `.bodyTooLarge`, with the beginning of the body when the
    ///   client does not accept the status or the media type. Cancelling the task that later reads the events ends the reading.
    public func events(
        for request: Request,
        until finalEvent: FinalEvent? = nil,
        options: EventStreamOptions = EventStreamOptions(),
        delegate: (any TaskDelegate)? = nil
    ) async throws(ClientError) -> EventStream {
        try await self.events(for: request, after: "", until: finalEvent, options, delegate)
    }

    /// Sends a request for events, after the event with `lastEventID` unless that is empty.
    func events(
        for request: Request,
        after lastEventID: String,
        until finalEvent: FinalEvent?,
        _ options: EventStreamOptions,
        _ delegate: (any TaskDelegate)?
    ) async throws(ClientError) -> EventStream {
        let rules = request.options.validation ?? self.configuration.validation ?? [.success]
        let request = request.with { request in
            if !request.fields.contains(.accept) { request.fields[.accept] = "text/event-stream" }
            if !request.fields.contains(.cacheControl) {
                // WHATWG HTML §9.2.2 sets the cache mode `no-store`, with which a browser sends `no-cache` and neither
                // reads nor writes its own cache (Fetch, "HTTP-network-or-cache fetch").
                request.fields[.cacheControl] = "no-cache"
                if request.method == .get || request.method == .head { request.options.bypassesCache = true }
            }
            if !lastEventID.isEmpty { request.fields[.lastEventID] = lastEventID }
            request.options.validation = rules + [.requiredContentType("text/event-stream")]
        }
        var (call, reply) = try await self.exchange(request, delegate)
        reply.body = reply.body.onlyOnce
        return EventStream(
            body: SharedBody(reply.completing(call), of: call),
            finalEvent: finalEvent,
            options: options,
            lastEventID: lastEventID
        )
    }
}

extension ResponseBytes {
    /// Returns the body as server-sent events, whatever its media type.
    ///
    /// Use this method if a server answers the same request with events or with a single value: check the response first, then
    /// read the events. Otherwise, use ``Client/events(for:until:options:delegate:)``, which describes the parameters.
    public func events(
        until finalEvent: FinalEvent? = nil,
        options: EventStreamOptions = EventStreamOptions()
    ) -> EventStream {
        EventStream(
            body: self.body,
            finalEvent: finalEvent,
            options: options,
            lastEventID: ""
        )
    }
}

extension HTTPField.Name {
    static let lastEventID: HTTPField.Name = {
        guard let name = HTTPField.Name("Last-Event-ID") else { preconditionFailure("the field name must be valid") }
        return name
    }()
}
