// SPDX-License-Identifier: Apache-2.0
public import HTTPTypes

/// A request that a test server received.
public struct ReceivedRequest: Sendable {
    /// The method.
    public var method: HTTPRequest.Method
    /// The request target, such as `/find?q=tern`.
    public var target: String
    /// The fields, in the order in which they arrived, including `Host`.
    public var fields: HTTPFields
    /// The body without its framing; empty until the server has read the body.
    public var body: [UInt8] = []
    /// The trailers after a chunked body (RFC 9110 §6.5); empty until the server has read the body.
    public var trailers: HTTPFields = [:]
    /// The number of the request among the ``ScriptedServer/requests`` of its ``ScriptedServer``, from 1.
    ///
    /// `nil` if a test reads the request itself from its ``ServerConnection``.
    public internal(set) var number: Int?
    /// The number of the connection on which the request arrived, from 1.
    public var connection: Int
    /// The number of the stream on which the request arrived, as in `TransactionMetrics.streamNumber`; `nil` over HTTP/1.1.
    public var stream: Int?

    /// The body as text; invalid UTF-8 is repaired.
    public var text: String { String(decoding: self.body, as: UTF8.self) }

    init(head: [UInt8], connection: Int, stream: Int?) throws(ScriptedServerError) {
        var lines = head.split(separator: Array("\r\n".utf8), omittingEmptySubsequences: false)[...]
        let line = lines.popFirst().map { String(decoding: $0, as: UTF8.self) } ?? ""
        let parts = line.split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[2] == "HTTP/1.1", let method = HTTPRequest.Method(rawValue: String(parts[0]))
        else { throw .malformedRequest("the request line") }
        self.method = method
        self.target = String(parts[1])
        self.fields = [:]
        self.connection = connection
        self.stream = stream
        for line in lines { try self.fields.append(line: line) }
    }
}

extension HTTPFields {
    mutating func append(line: ArraySlice<UInt8>) throws(ScriptedServerError) {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")),
            let name = HTTPField.Name(String(decoding: line[..<colon], as: UTF8.self))
        else { throw .malformedRequest("a field") }
        let value = line[(colon + 1)...].drop { $0 == UInt8(ascii: " ") }
        self.append(HTTPField(name: name, value: value))
    }
}
