// SPDX-License-Identifier: Apache-2.0

/// A response that the server of an example sends.
public struct DemoAnswer: Sendable {
    public enum Ending: Sendable {
        /// The body is complete.
        case complete
        /// The body does not end: the server waits until the client closes the connection.
        case stall
        /// The server closes the connection before the body is complete.
        case close
    }

    public var status: Int
    /// The fields, to which the server adds `Content-Length`.
    public var fields: [(name: String, value: String)]
    /// The bytes of the body that the server sends.
    public var body: [UInt8]
    /// The announced length, by default that of ``body``.
    public var announcedByteCount: Int
    public var ending: Ending
    /// The pieces that follow the body, each sent as soon as the sequence returns it; the length is then not announced.
    public var pieces: AsyncStream<[UInt8]>?

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

    public static func text(_ text: String, status: Int = 200, type: String = "text/plain") -> DemoAnswer {
        DemoAnswer(status: status, type: type, body: Array(text.utf8))
    }

    /// The response 404.
    public static let notFound = DemoAnswer.text("not found\n", status: 404)
}
