// SPDX-License-Identifier: Apache-2.0
public import TernErrors

/// The end of a response of a ``ReconnectingEventStream``, or the failure to get one that the client accepts.
public struct EventDisconnection: Sendable {
    /// The error; `nil` if the end was in order: after the final event, with a status 204, or, without a ``FinalEvent``, between
    /// events.
    public var error: ClientError?
    /// The last event ID, which a further request sends as `Last-Event-ID`; empty if there is none.
    public var lastEventID: String
    /// The pause before the sequence connects again; `nil` if the sequence ends, and always when the policy's `isFinal` is called.
    public var retryDelay: Duration?

    package init(error: ClientError? = nil, lastEventID: String = "", retryDelay: Duration? = nil) {
        self.error = error
        self.lastEventID = lastEventID
        self.retryDelay = retryDelay
    }
}
