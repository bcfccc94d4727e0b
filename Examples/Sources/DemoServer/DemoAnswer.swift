// SPDX-License-Identifier: Apache-2.0

/// What the server of an example answers.
public struct DemoAnswer: Sendable {
    /// How the body ends.
    public enum Ending: Sendable {
        /// In order.
        case complete
        /// Not at all: the server waits until the client has closed the connection.
        case stall
        /// The server closes the connection.
        case close
    }

    /// The status.
    public var status: Int
    /// The fields; `Content-Length` comes by itself.
    public var fields: [(name: String, value: String)]
    /// The body, or, if it does not end in order, the part of it that is sent.
    public var body: [UInt8]
    /// How long the body says it is; its length by default.
    public var announcedByteCount: Int
    /// How the body ends.
    public var ending: Ending
    /// What follows the body piece by piece, each sent as it comes; the length is not announced then.
    public var pieces: AsyncStream<[UInt8]>?

    /// Makes an answer.
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

    /// An answer with text.
    public static func text(_ text: String, status: Int = 200, type: String = "text/plain") -> DemoAnswer {
        DemoAnswer(status: status, type: type, body: Array(text.utf8))
    }

    /// There is nothing here.
    public static let notFound = DemoAnswer.text("not found\n", status: 404)
}
