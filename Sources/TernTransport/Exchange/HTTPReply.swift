// SPDX-License-Identifier: Apache-2.0

/// A response: its head, its body and, after an upgrade, its connection.
public struct HTTPReply: Sendable {
    /// The head.
    public var response: Response
    /// The body, whose bytes may not have arrived yet.
    public var body: ResponseBody
    /// The connection, if the server accepted an upgrade; otherwise `nil`.
    ///
    /// The offer is the field `Upgrade` (RFC 9110 §7.8), which the request must have when the call begins; an interceptor cannot
    /// add it.
    public var upgrade: UpgradedConnection?

    /// Creates a reply from a head, a body and, if the server accepted an upgrade, its connection.
    public init(response: Response, body: ResponseBody = ResponseBody(), upgrade: UpgradedConnection? = nil) {
        self.response = response
        self.body = body
        self.upgrade = upgrade
    }

    /// Discards the body, and replaces it with an empty one.
    ///
    /// An interceptor calls this method before it asks `next` again, because an unread body may occupy its connection:
    ///
    /// ```swift
    /// var reply = try await next.respond(to: call)
    /// if reply.response.statusCode == 425 {
    ///     reply.discardBody()
    ///     reply = try await next.respond(to: call)
    /// }
    /// ```
    ///
    /// The client reads bytes that have already arrived, up to about 512 KiB. If they do not complete the body, the client closes
    /// the connection or ends the stream (HTTP/2). Over `URLSession`, it only cancels the task. Releasing the last reference to the
    /// body has the same effect.
    ///
    /// Copies of the reply lose the body, too: a pending read from a connection usually fails, and each later read throws
    /// `ClientError.bodyMisused(.discarded, …)`. A body that has ended or failed, or that is completely in memory, does not
    /// change.
    public mutating func discardBody() {
        self.body.discard()
        self.body = ResponseBody()
    }
}
