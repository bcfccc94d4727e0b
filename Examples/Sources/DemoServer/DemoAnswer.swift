// SPDX-License-Identifier: Apache-2.0

/// A response of an example's server.
public struct DemoAnswer: Sendable {
    /// The way in which the body ends.
    public enum Ending: Sendable {
        /// The body is complete.
        case complete
        /// The body does not end: the server waits until the client closes the connection.
        case stall
        /// The server closes the connection.
        case close
    }

    /// The status.
    public var status: Int
    /// The fields.
    ///
    /// The server adds `Content-Length`.
    public var fields: [(name: String, value: String)]
    /// The body, or, if it is incomplete, the part that is sent.
    public var body: [UInt8]
    /// The announced length.
    ///
    /// Defaults to that of the body.
    public var announcedByteCount: Int
    /// The way in which the body ends.
    public var ending: Ending
    /// The pieces that follow the body, each sent as soon as it exists.
    ///
    /// Then no length is announced.
    public var pieces: AsyncStream<[UInt8]>?

    /// Creates a response.
    public init(
        status: Int = 200,
        type: String = "text/plain",
        fields: [(name: String, value: String)] = [],
        body: [UInt8] = [],
        announcedByteCount: Int? = nil,
        ending: Ending = .complete,
        pieces: AsyncStream<[UInt8]>? = nil
    ) {
        self.status = status
        self.fields = [("content-type", type)] + fields
        self.body = body
        self.announcedByteCount = announcedByteCount ?? body.count
        self.ending = ending
        self.pieces = pieces
    }

    /// Returns a response with text.
    public static func text(_ text: String, status: Int = 200, type: String = "text/plain") -> DemoAnswer {
        DemoAnswer(status: status, type: type, body: Array(text.utf8))
    }

    /// The response 404.
    public static let notFound = DemoAnswer.text("not found\n", status: 404)
}
