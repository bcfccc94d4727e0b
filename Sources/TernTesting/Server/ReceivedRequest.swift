// SPDX-License-Identifier: Apache-2.0
public import HTTPTypes

/// A request as a scripted server received it.
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
    /// The number of the request among all that its ``ScriptedServer`` has received, from 1.
    ///
    /// The requests are numbered in the order of ``ScriptedServer/requests``. A script that counts its own calls may
    /// count overlapping requests in another order. `nil` if a test reads the request itself from its
    /// ``ServerConnection``.
    public internal(set) var number: Int?
    /// The number of the connection on which the request arrived, from 1.
    public var connection: Int
    /// The number of the stream on which the request arrived (RFC 9113 §5.1.1): 1, 3, 5 and so on.
    ///
    /// `nil` over HTTP/1.1. `TransactionMetrics.streamNumber` is the same number.
    public var stream: Int?

    /// The body as text; invalid UTF-8 is repaired.
    public var text: String { String(decoding: self.body, as: UTF8.self) }

    /// Parses a head without the empty line at its end.
    ///
    /// Values of fields may be invalid UTF-8.
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
    /// Parses a field line without its line end, and appends the field.
    mutating func append(line: ArraySlice<UInt8>) throws(ScriptedServerError) {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")),
            let name = HTTPField.Name(String(decoding: line[..<colon], as: UTF8.self))
        else { throw .malformedRequest("a field") }
        let value = line[(colon + 1)...].drop { $0 == UInt8(ascii: " ") }
        self.append(HTTPField(name: name, value: value))
    }
}
