// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernErrors
public import TernFoundation
public import TernRequests
import TernStreams

extension Client {
    /// Returns the server-sent events of a URL, as ``reconnectingEvents(for:lastEventID:until:policy:options:delegate:)`` does for
    /// a request.
    public func reconnectingEvents(
        from url: URL,
        lastEventID: String = "",
        until finalEvent: FinalEvent? = nil,
        policy: EventReconnectionPolicy = EventReconnectionPolicy(),
        options: EventStreamOptions = EventStreamOptions(),
        delegate: (any TaskDelegate)? = nil
    ) -> ReconnectingEventStream {
        self.reconnectingEvents(
            for: Request(url: url),
            lastEventID: lastEventID,
            until: finalEvent,
            policy: policy,
            options: options,
            delegate: delegate
        )
    }

    /// Returns a sequence of server-sent events that sends a request again when the stream ends; see ``ReconnectingEventStream``.
    ///
    /// The client connects when you await the first element. The sequence repeats a request that is not safe, such as a `POST`,
    /// only if the server has not acted on it. Once any part of the server's response to such a request has arrived, the sequence
    /// ends with that response. With `EventReconnectionPolicy.Resumption.get`, it continues with a `GET` instead, if it knows the
    /// ID of an event.
    ///
    /// - Parameters:
    ///   - request: The request, with any method and body.
    ///   - lastEventID: The ID of the last event that the program has seen, for example in an earlier run. With an empty ID, the
    ///     client adds no `Last-Event-ID` to the first request.
    ///   - finalEvent: The rule that recognizes the last event, after which the sequence ends.
    ///   - policy: Decides whether and when to connect again.
    ///   - options: The settings of each stream.
    ///   - delegate: Handles the challenges and events of each call.
    /// - Returns: The sequence.
    public func reconnectingEvents(
        for request: Request,
        lastEventID: String = "",
        until finalEvent: FinalEvent? = nil,
        policy: EventReconnectionPolicy = EventReconnectionPolicy(),
        options: EventStreamOptions = EventStreamOptions(),
        delegate: (any TaskDelegate)? = nil
    ) -> ReconnectingEventStream {
        ReconnectingEventStream(
            clock: self.clock,
            lastEventID: lastEventID,
            reconnection: EventReconnection(
                policy: policy,
                method: request.method,
                isBodyReplayable: request.body?.isReplayable ?? true
            ),
            connect: { (lastEventID, resumesByGet) async throws(ClientError) -> EventStream in
                let next = resumesByGet ? request.continuedByGet : request
                return try await self.events(for: next, after: lastEventID, until: finalEvent, options, delegate)
            }
        )
    }
}

extension Request {
    fileprivate var continuedByGet: Request {
        self.with { request in
            request.method = .get
            request.body = nil
            request.options.expectsContinue = nil
            // These fields describe the content, which the request no longer has (RFC 9110 §8.3 and §10.1.1).
            for name in request.fields.map(\.name) where name.describesContent { request.fields[name] = nil }
        }
    }
}

extension HTTPField.Name {
    fileprivate var describesContent: Bool {
        switch self.canonicalName {
        case "expect", "trailer", "digest", "repr-digest": true
        case let name: name.hasPrefix("content-")
        }
    }
}
