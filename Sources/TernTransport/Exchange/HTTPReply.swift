// SPDX-License-Identifier: Apache-2.0

/// A response and the body that follows it.
public struct HTTPReply: Sendable {
    /// The head.
    public var response: Response
    /// The body; none of it may have been read yet.
    public var body: ResponseBody
    /// The connection, if the server answered 101 (Switching Protocols) to a request with `Upgrade`; otherwise `nil`.
    public var upgrade: UpgradedConnection?

    /// Creates a reply.
    ///
    /// - Parameters:
    ///   - response: The head.
    ///   - body: The body. Defaults to an empty one.
    ///   - upgrade: The connection, if the server answered 101. Defaults to `nil`.
    public init(response: Response, body: ResponseBody = ResponseBody(), upgrade: UpgradedConnection? = nil) {
        self.response = response
        self.body = body
        self.upgrade = upgrade
    }

    /// Discards the body; the reply has an empty one afterwards.
    ///
    /// An interceptor calls this before it asks `next` again, because the connection may be the only one that the host
    /// allows:
    ///
    /// ```swift
    /// var reply = try await next.respond(to: call)
    /// if reply.response.statusCode == 425 {
    ///     reply.discardBody()
    ///     reply = try await next.respond(to: call)
    /// }
    /// ```
    ///
    /// Bytes that have arrived are read, up to 512 KiB; if that is the whole body, another request may use the
    /// connection. Otherwise the connection is closed. Copies of the reply no longer have the body: a pending read ends
    /// with an error, and each later one throws `ClientError.bodyMisused(.discarded, …)`. Bytes in memory stay readable
    /// in a copy. Releasing a reply and its copies frees the connection in the same way.
    public mutating func discardBody() {
        self.body.discard()
        self.body = ResponseBody()
    }
}
