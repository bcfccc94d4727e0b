// SPDX-License-Identifier: Apache-2.0

/// The head of a response, and its body.
public struct HTTPReply: Sendable {
    /// The head.
    public var response: Response
    /// The body.
    ///
    /// Its bytes may not have arrived yet.
    public var body: ResponseBody
    /// The connection, if the server accepted an upgrade; otherwise `nil`.
    ///
    /// To offer an upgrade, a request needs the field `Upgrade` when the call begins (RFC 9110 §7.8). An interceptor
    /// cannot add the offer.
    public var upgrade: UpgradedConnection?

    /// Creates a reply.
    ///
    /// - Parameters:
    ///   - response: The head.
    ///   - body: The body. Defaults to an empty one.
    ///   - upgrade: The connection, if the server accepted an upgrade. Defaults to `nil`.
    public init(response: Response, body: ResponseBody = ResponseBody(), upgrade: UpgradedConnection? = nil) {
        self.response = response
        self.body = body
        self.upgrade = upgrade
    }

    /// Discards the body, and replaces it with an empty one.
    ///
    /// An interceptor calls this method before it asks `next` again. An unread body occupies its connection, and the
    /// limit on connections to the host may not allow another one:
    ///
    /// ```swift
    /// var reply = try await next.respond(to: call)
    /// if reply.response.statusCode == 425 {
    ///     reply.discardBody()
    ///     reply = try await next.respond(to: call)
    /// }
    /// ```
    ///
    /// The client reads the bytes that have already arrived, up to 512 KiB. If they complete the body, another request
    /// may use the connection. Otherwise the client closes the connection or, with HTTP/2, ends only the stream.
    /// Releasing a reply and its copies has the same effect.
    ///
    /// Copies of the reply lose the body, too: a pending read from a connection ends with an error, and each later read
    /// throws `ClientError.bodyMisused(.discarded, …)`. A pending read of a body that is made of a sequence of chunks
    /// still waits for its chunk. A body that was read to its end does not change, and one that is completely in memory
    /// stays readable in a copy.
    public mutating func discardBody() {
        self.body.discard()
        self.body = ResponseBody()
    }
}
