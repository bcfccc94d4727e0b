// SPDX-License-Identifier: Apache-2.0
public import HTTPTypes
import NIOCore

/// What a scripted server sends in answer to a request, and what it does then.
public struct ScriptedResponse: Sendable {
    /// What follows the bytes.
    @nonexhaustive
    public enum Ending: Hashable, Sendable {
        /// The connection stays open for the next request.
        case keepOpen
        /// The server ends its side, and reads on.
        case finish
        /// The server closes the connection.
        case close
        /// The server resets the connection.
        case reset
        /// The server does nothing more, until the client closes the connection.
        case stall
    }

    /// The head, up to and with the empty line; may hold interim heads before it.
    public var head: [UInt8]
    /// What follows the head; not sent in answer to HEAD.
    public var body: [UInt8]
    /// What follows the bytes.
    public var ending: Ending

    /// Creates a response from its bytes.
    ///
    /// - Parameters:
    ///   - head: the head, up to and with the empty line.
    ///   - body: what follows it, framed as the head says; nothing by default.
    ///   - ending: what follows; keeps the connection open by default.
    public init(head: [UInt8], body: [UInt8] = [], ending: Ending = .keepOpen) {
        self.head = head
        self.body = body
        self.ending = ending
    }

    /// A response in order, with a `Content-Length`.
    ///
    /// - Parameters:
    ///   - status: the status; 200 OK by default.
    ///   - fields: the fields; a `Content-Length` among them replaces the right one.
    ///   - body: the body; empty by default.
    ///   - ending: what follows; keeps the connection open by default.
    /// - Returns: the response.
    public static func response(
        _ status: HTTPResponse.Status = .ok,
        fields: HTTPFields = [:],
        body: String = "",
        ending: Ending = .keepOpen
    ) -> ScriptedResponse {
        .response(status, fields: fields, bytes: Array(body.utf8), ending: ending)
    }

    /// A response in order, with a `Content-Length`, whose body is any bytes.
    public static func response(
        _ status: HTTPResponse.Status = .ok,
        fields: HTTPFields = [:],
        bytes: [UInt8],
        ending: Ending = .keepOpen
    ) -> ScriptedResponse {
        var fields = fields
        let hasBody = status.code != 204 && status.code != 304 && status.kind != .informational
        if hasBody, fields[.contentLength] == nil { fields[.contentLength] = "\(bytes.count)" }
        return ScriptedResponse(head: Self.head(status, fields), body: hasBody ? bytes : [], ending: ending)
    }

    /// A response whose body comes in the given chunks (RFC 9112 §7.1), with trailers behind it (§7.1.2).
    public static func chunked(
        _ chunks: [String],
        status: HTTPResponse.Status = .ok,
        fields: HTTPFields = [:],
        trailers: HTTPFields = [:],
        ending: Ending = .keepOpen
    ) -> ScriptedResponse {
        var fields = fields
        fields[.transferEncoding] = "chunked"
        var body = ""
        for chunk in chunks where !chunk.isEmpty {
            body += "\(String(chunk.utf8.count, radix: 16))\r\n\(chunk)\r\n"
        }
        body += "0\r\n\(Self.lines(trailers))\r\n"
        return ScriptedResponse(head: Self.head(status, fields), body: Array(body.utf8), ending: ending)
    }

    /// Bytes as they are, well-formed or not.
    public static func raw(_ text: String, ending: Ending = .keepOpen) -> ScriptedResponse {
        ScriptedResponse(head: Array(text.utf8), ending: ending)
    }

    /// Nothing, until the client closes the connection.
    public static let stall = ScriptedResponse(head: [], ending: .stall)

    /// Nothing; the server closes the connection.
    public static let close = ScriptedResponse(head: [], ending: .close)

    /// Nothing; the server resets the connection.
    public static let reset = ScriptedResponse(head: [], ending: .reset)

    private static func head(_ status: HTTPResponse.Status, _ fields: HTTPFields) -> [UInt8] {
        Array("HTTP/1.1 \(status.code) \(status.reasonPhrase)\r\n\(Self.lines(fields))\r\n".utf8)
    }

    private static func lines(_ fields: HTTPFields) -> String {
        fields.map { "\($0.name.rawName): \($0.value)\r\n" }.joined()
    }
}

extension ServerConnection {
    /// Sends a response and does what follows it.
    ///
    /// - Parameters:
    ///   - response: what to send.
    ///   - method: the method of the request; a response to HEAD goes without its body.
    /// - Returns: whether the connection is open for another request.
    /// - Throws: `ConnectionError`.
    @discardableResult
    public func send(_ response: ScriptedResponse, to method: HTTPRequest.Method = .get) async throws -> Bool {
        try await self.write(method == .head ? response.head : response.head + response.body)
        switch response.ending {
        case .keepOpen: return true
        case .finish: self.finish()
        case .close: self.close()
        case .reset: self.reset()
        case .stall: break
        }
        await self.waitForEnd()
        return false
    }
}
