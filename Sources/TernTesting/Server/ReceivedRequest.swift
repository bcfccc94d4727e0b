// SPDX-License-Identifier: Apache-2.0
public import HTTPTypes

/// A request as a scripted server received it.
public struct ReceivedRequest: Sendable {
    /// The method.
    public var method: HTTPRequest.Method
    /// The request target, such as `/find?q=tern`.
    public var target: String
    /// The fields, in the order in which they came, `Host` among them.
    public var fields: HTTPFields
    /// The body, without what framed it; empty until it was read.
    public var body: [UInt8] = []
    /// Which connection it came on, counting from 1.
    public var connection: Int

    /// The body as text, what is not UTF-8 repaired.
    public var text: String { String(decoding: self.body, as: UTF8.self) }

    /// Reads the text of a head, without the empty line at its end.
    init(head: String, connection: Int) throws(ServerFailure) {
        var lines = head.split(separator: "\r\n", omittingEmptySubsequences: false)[...]
        let parts = lines.popFirst()?.split(separator: " ", omittingEmptySubsequences: false) ?? []
        guard parts.count == 3, parts[2] == "HTTP/1.1", let method = HTTPRequest.Method(rawValue: String(parts[0]))
        else { throw .malformedRequest("the request line") }
        self.method = method
        self.target = String(parts[1])
        self.fields = [:]
        self.connection = connection
        for line in lines {
            guard let colon = line.firstIndex(of: ":"), let name = HTTPField.Name(String(line[..<colon]))
            else { throw .malformedRequest("a field") }
            let value = line[line.index(after: colon)...].drop { $0 == " " }
            self.fields.append(HTTPField(name: name, value: String(value)))
        }
    }
}

/// Why a server in a test could not go on.
public enum ServerFailure: Error, Hashable, Sendable {
    /// The request cannot be read; the text names the part at fault.
    case malformedRequest(String)
    /// The client ended its side in the middle of a request.
    case truncatedRequest
}
