// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernHTTP1

/// Fields for a client that uses HTTP/2: names in lower case, and values as bytes.
enum GatewayFields {
    /// The fields that belong to an HTTP/1.1 connection (RFC 9113 §8.2.2).
    private static let dropped: Set<String> = [
        "connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade",
    ]

    /// Returns the fields of a response.
    ///
    /// - Parameters:
    ///   - head: The head of the response.
    ///   - status: The status to send; `nil` for the status of the head.
    /// - Returns: The status and the fields, without the fields of the connection, the fields that `Connection` names,
    ///   and `Sec-WebSocket-Accept`.
    static func list(_ head: ResponseHead, status: Int? = nil) -> [(String, [UInt8])] {
        let fields = head.fields.makeHTTPFields()
        let named = fields[values: .connection].flatMap { value in
            value.split(separator: ",").map { $0.filter { $0 != " " }.lowercased() }
        }
        var list = [(":status", Array("\(status ?? head.statusCode)".utf8))]
        list += Self.list(fields).filter { name, _ in
            // The client sent no `Sec-WebSocket-Key`, so it expects no `Sec-WebSocket-Accept` (RFC 8441 §5).
            !Self.dropped.contains(name) && !named.contains(name) && name != "sec-websocket-accept"
        }
        return list
    }

    /// Returns the name of each field, and its value as bytes.
    static func list(_ fields: HTTPFields) -> [(String, [UInt8])] {
        fields.map { field in (field.name.canonicalName, field.withUnsafeBytesOfValue { Array($0) }) }
    }
}
