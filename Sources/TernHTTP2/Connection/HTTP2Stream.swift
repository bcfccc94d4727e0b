// SPDX-License-Identifier: Apache-2.0

internal import HTTPTypes

/// The state of one stream, stored until it is reset or fails, or until both sides have ended and all content was read.
struct HTTP2Stream: Sendable {
    enum Phase: Hashable, Sendable {
        /// The final head has not arrived. Exits: `content`, `tunnel`.
        case head
        /// The final head has arrived, and opened no tunnel.
        case content
        /// The final head has opened a tunnel (RFC 9113 §8.5, RFC 8441 §5).
        case tunnel
    }

    var state = StreamStateMachine()
    var phase = Phase.head
    var sendWindow: SendWindow
    var receiveWindow: StreamReceiveWindow
    private(set) var interimCount = 0
    /// The number of bytes of content that have not arrived yet; `nil` if it is not known.
    private var missingContentByteCount: Int64?
    private let isHead: Bool
    private let isConnect: Bool

    private let interimLimit: Int

    init(_ method: HTTPRequest.Method, sendWindow: Int, receiveWindow: Int, interimLimit: Int) {
        self.interimLimit = interimLimit
        (self.isHead, self.isConnect) = (method == .head, method == .connect)
        self.sendWindow = SendWindow(sendWindow)
        self.receiveWindow = StreamReceiveWindow(receiveWindow)
    }

    // MARK: The response

    mutating func receivedInterim(_ code: Int, endsStream: Bool) throws(HTTP2Violation) {
        // "HTTP/2 removes support for the 101 (Switching Protocols) informational status code" (RFC 9113 §8.6).
        guard code != 101 else { throw .unexpectedUpgrade }
        // "a HEADERS frame with the END_STREAM flag set that carries an informational status code is malformed"
        // (RFC 9113 §8.1).
        guard !endsStream else { throw .endedByInterim }
        self.interimCount += 1
        guard self.interimCount <= self.interimLimit else { throw .tooManyInterims(limit: self.interimLimit) }
    }

    mutating func receivedHead(_ head: HTTP2ResponseHead) {
        if self.isConnect, 200...299 ~= head.statusCode {
            // "A client MUST ignore any Content-Length or Transfer-Encoding header fields received in a successful
            // response to CONNECT" (RFC 9110 §9.3.6).
            self.phase = .tunnel
            return
        }
        self.phase = .content
        let hasNoContent = self.isHead || head.statusCode == 204 || head.statusCode == 304
        self.missingContentByteCount = hasNoContent ? 0 : head.contentLength
        self.hasNoContent = hasNoContent
    }

    private var hasNoContent = false

    mutating func receivedContent(_ byteCount: Int) throws(HTTP2Violation) {
        guard let missing = self.missingContentByteCount else { return }
        guard Int64(byteCount) <= missing else { throw self.hasNoContent ? .unexpectedContent : .wrongContentLength }
        self.missingContentByteCount = missing - Int64(byteCount)
    }

    /// Checks the end: a response is malformed "if the value of a content-length header field does not equal the sum of the DATA
    /// frame payload lengths that form the content, unless the message is defined as having no content" (RFC 9113 §8.1.1).
    func checkEnd() throws(HTTP2Violation) {
        guard self.phase != .head else { throw .missingStatus }
        if let missing = self.missingContentByteCount, missing > 0 { throw .wrongContentLength }
    }
}
