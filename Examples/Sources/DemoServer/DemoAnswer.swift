// SPDX-License-Identifier: Apache-2.0

/// A response that the server of an example sends.
public struct DemoAnswer: Sendable {
    /// The action of the server when it has sent the body.
    public enum Ending: Sendable {
        /// The body is complete.
        case complete
        /// The body does not end: the server waits until the client closes the connection.
        case stall
        /// The server closes the connection before the body is complete.
        case close
    }

    /// The status.
    public var status: Int
    /// The fields.
    ///
    /// The server adds `Content-Length`.
    public var fields: [(name: String, value: String)]
    /// The bytes of the body that the server sends.
    public var body: [UInt8]
    /// The announced length.
    ///
    /// Defaults to the length of ``body``.
    public var announcedByteCount: Int
    /// The action of the server when it has sent the body.
    public var ending: Ending
    /// The pieces that follow the body.
    ///
    /// The server sends each piece as soon as the sequence returns it.
    ///
    /// With pieces, the server does not announce the length.
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
