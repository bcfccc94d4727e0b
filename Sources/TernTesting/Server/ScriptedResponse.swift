// SPDX-License-Identifier: Apache-2.0
public import HTTPTypes
import NIOCore
import TernConnections

/// The response of a scripted server to a request, and the action of the server after the response.
public struct ScriptedResponse: Sendable {
    /// The action of the server after it has sent the response; over HTTP/2, a client may not notice it.
    @nonexhaustive
    public enum Ending: Hashable, Sendable {
        /// The server leaves the connection open.
        case keepOpen
        /// The server ends its side of the connection, but continues to read.
        case finish
        /// The server closes the connection.
        case close
        /// The server resets the connection.
        case reset
        /// The server only reads, until the client ends its side.
        case stall
    }

    /// The first bytes to send, such as the head with its empty line.
    public var head: [UInt8]
    /// The bytes to send after ``head``, unless ``ServerConnection/send(_:to:)`` gets the method HEAD.
    public var body: [UInt8]
    /// The action of the server after it has sent the response.
    public var ending: Ending
    var script: Result<BodyScript, TestStallError>?

    /// Creates a response from the bytes of its head, with the empty line, and of its body, framed as the head says.
    public init(head: [UInt8], body: [UInt8] = [], ending: Ending = .keepOpen) {
        self.head = head
        self.body = body
        self.ending = ending
    }

    /// Returns a response, with a `Content-Length` unless the fields contain one or the status is 1xx, 204 or 304.
    public static func response(
        _ status: HTTPResponse.Status = .ok,
        fields: HTTPFields = [:],
        body: String = "",
        ending: Ending = .keepOpen
    ) -> ScriptedResponse {
        .response(status, fields: fields, bytes: Array(body.utf8), ending: ending)
    }

    /// Returns a response like ``response(_:fields:body:ending:)``, but with a body of bytes.
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

    /// Returns a response whose body consists of the chunks that are not empty (RFC 9112 §7.1), and trailer fields (§7.1.2).
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

    /// Returns a response from the text that the server sends, which need not be well-formed.
    public static func raw(_ text: String, ending: Ending = .keepOpen) -> ScriptedResponse {
        ScriptedResponse(head: Array(text.utf8), ending: ending)
    }

    /// The server sends no response, and waits until the client closes the connection.
    public static let stall = ScriptedResponse(head: [], ending: .stall)

    /// The server sends no response, and closes the connection.
    public static let close = ScriptedResponse(head: [], ending: .close)

    /// The server sends no response, and resets the connection.
    public static let reset = ScriptedResponse(head: [], ending: .reset)

    static func head(_ status: HTTPResponse.Status, _ fields: HTTPFields) -> [UInt8] {
        Array("HTTP/1.1 \(status.code) \(status.reasonPhrase)\r\n\(Self.lines(fields))\r\n".utf8)
    }

    private static func lines(_ fields: HTTPFields) -> String {
        fields.map { "\($0.name.rawName): \($0.value)\r\n" }.joined()
    }
}

extension ServerConnection {
    /// Sends a response, and performs the action of its `ending` or of an early end.
    ///
    /// - Parameters:
    ///   - response: The response to send.
    ///   - method: The method of the request. For HEAD, the response is sent without its body.
    /// - Returns: `true` if the server leaves the connection open.
    /// - Throws: `ConnectionError`; ``TestStallError`` if a ``ScriptedResponse/BodyStep`` of the response contains a mistake.
    @discardableResult
    public func send(_ response: ScriptedResponse, to method: HTTPRequest.Method = .get) async throws -> Bool {
        let parts = try response.script?.get().parts ?? []
        var ending = response.ending
        if method == .head {
            try await self.write(response.head)
        } else {
            try await self.write(response.head + response.body)
            if let early = try await self.perform(parts) { ending = early }
        }
        switch ending {
        case .keepOpen: return true
        case .finish: self.finish()
        case .close: self.close()
        case .reset: self.reset()
        case .stall: break
        }
        await self.waitForEnd()
        return false
    }

    /// Returns the server's action if the body ends early.
    private func perform(_ parts: [BodyScript.Part]) async throws(ConnectionError) -> ScriptedResponse.Ending? {
        for part in parts {
            switch part {
            case .bytes(let bytes): try await self.write(bytes)
            case .pause(let duration): try await self.pause(for: duration)
            case .end(let ending): return ending
            }
        }
        return nil
    }
}
