// SPDX-License-Identifier: Apache-2.0
public import TernErrors

/// The end of one response of a ``ReconnectingEventStream``, or the failure to get a response.
public struct EventDisconnection: Sendable {
    /// The error; `nil` if the end was in order: after the final event, with a status 204, or, without a ``FinalEvent``, between
    /// events.
    public var error: ClientError?
    /// The ID of the last event, which the next request sends as `Last-Event-ID`; empty if there is none.
    public var lastEventID: String
    /// The time until the sequence connects again; `nil` if the sequence ends, and always when the policy's `isFinal` is called.
    public var retryDelay: Duration?

    package init(error: ClientError? = nil, lastEventID: String = "", retryDelay: Duration? = nil) {
        self.error = error
        self.lastEventID = lastEventID
        self.retryDelay = retryDelay
    }
}
