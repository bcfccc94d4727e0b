// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernHTTP1

enum GatewayFields {
    /// The fields that belong to an HTTP/1.1 connection (RFC 9113 §8.2.2).
    private static let dropped: Set<String> = [
        "connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade",
    ]

    /// Returns the status and the fields, without those of the connection.
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

    static func list(_ fields: HTTPFields) -> [(String, [UInt8])] {
        fields.map { field in (field.name.canonicalName, field.withUnsafeBytesOfValue { Array($0) }) }
    }
}
