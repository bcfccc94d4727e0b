// SPDX-License-Identifier: Apache-2.0
import HTTPTypes

/// The head of a request that a gateway passes on with HTTP/1.1.
struct GatewayRequest: Sendable {
    /// The way in which the server finds the end of the content (RFC 9112 §6.3).
    enum Framing: Sendable {
        case none
        case counted(Int)
        case chunked
        case tunnel
    }

    let method: HTTPRequest.Method
    let framing: Framing
    /// The bytes of the head, with the empty line.
    let head: [UInt8]

    var isTunnel: Bool { if case .tunnel = self.framing { true } else { false } }

    init(_ headers: HTTP2Headers) {
        let isWebSocket = headers[":protocol"] == "websocket"
        let method = isWebSocket ? "GET" : headers[":method"] ?? ""
        let length = headers["content-length"].flatMap { Int($0) }
        self.method = HTTPRequest.Method(rawValue: method) ?? .get
        if isWebSocket {
            self.framing = .tunnel
        } else if headers.endsStream {
            self.framing = .none
        } else {
            self.framing = length.map { .counted($0) } ?? .chunked
        }
        var head = Array("\(method) \(headers.path) HTTP/1.1\r\nHost: \(headers[":authority"] ?? "")\r\n".utf8)
        for line in headers.lines.joiningCookies where !line.name.hasPrefix(":") && line.name != "host" {
            head += line.http1
        }
        switch self.framing {
        case .none, .counted: break
        case .chunked: head += HTTP2Line("Transfer-Encoding", "chunked").http1
        case .tunnel:
            head += HTTP2Line("Connection", "Upgrade").http1
            head += HTTP2Line("Upgrade", "websocket").http1
            head += HTTP2Line("Sec-WebSocket-Key", Self.webSocketKey).http1
        }
        self.head = head + Array("\r\n".utf8)
    }

    /// 16 bytes in Base64, which need not be random in a test.
    private static let webSocketKey = "dGhlIHNhbXBsZSBub25jZQ=="
}

extension GatewayRequest.Framing {
    func encoded(_ bytes: [UInt8]) -> [UInt8] {
        guard case .chunked = self, !bytes.isEmpty else { return bytes }
        return Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + Array("\r\n".utf8)
    }

    func ending(trailers: [HTTP2Line]) -> [UInt8] {
        guard case .chunked = self else { return [] }
        return Array("0\r\n".utf8) + trailers.flatMap(\.http1) + Array("\r\n".utf8)
    }
}

extension HTTP2Line {
    fileprivate var http1: [UInt8] { Array("\(self.name): ".utf8) + self.bytes + Array("\r\n".utf8) }
}

extension [HTTP2Line] {
    /// RFC 9113 §8.2.3: `cookie` fields "MUST be concatenated into a single octet string".
    fileprivate var joiningCookies: [HTTP2Line] {
        var lines: [HTTP2Line] = []
        for line in self {
            if line.name == "cookie", let index = lines.firstIndex(where: { $0.name == "cookie" }) {
                lines[index].bytes += [UInt8]("; ".utf8) + line.bytes
            } else {
                lines.append(line)
            }
        }
        return lines
    }
}
