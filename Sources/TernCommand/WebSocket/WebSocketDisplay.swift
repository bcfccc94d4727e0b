// SPDX-License-Identifier: Apache-2.0
import Tern
import TernFoundation
import TernWebSocketCore

struct WebSocketDisplay: Sendable {
    enum Format: Sendable {
        case lines
        case json
        /// The bytes of the messages, with nothing between them.
        case raw
        case prompt(Prompt)
    }

    let format: Format
    let output: OutputWriter
    let isQuiet: Bool

    func opened(_ socket: WebSocket) async throws(OutputFailure) {
        switch self.format {
        case .json:
            let event = WebSocketEvent.opened(subprotocol: socket.subprotocol, compression: socket.compression)
            try await self.output.write(line: JSONLine.encode(event))
        case .prompt:
            let subprotocol = socket.subprotocol.map { ", subprotocol \($0)" } ?? ""
            let compression = socket.compression == nil ? "" : ", compressed"
            self.note("connected\(subprotocol)\(compression); Ctrl-D closes")
        case .lines, .raw: break
        }
    }

    func show(_ message: WebSocketMessage) async throws(OutputFailure) {
        switch (self.format, message) {
        case (.json, _): try await self.output.write(line: JSONLine.encode(WebSocketEvent.message(message)))
        case (.lines, .text(let text)): try await self.output.write(line: self.output.shown(text))
        case (.prompt(let prompt), .text(let text)):
            prompt.show("< \(TerminalText.sanitized(text))")
            try await self.output.waitForRoom()
        case (.raw, .text(let text)): try await self.output.write(text.utf8)
        case (.raw, .binary(let data)): try await self.output.write(data)
        case (.lines, .binary(let data)), (.prompt, .binary(let data)):
            let size = NumberFormat.bytes(Int64(data.count))
            self.note(
                "received a binary message of \(size); use 'tern-cli websocket' with --binary to write it, "
                    + "or with --report json to show it in Base64"
            )
        }
    }

    func show(_ fragment: WebSocketFragment) async throws(OutputFailure) { try await self.output.write(fragment.data) }

    func ping(_ roundTrip: Duration) async throws(OutputFailure) {
        guard case .json = self.format else { return self.note("ping: \(NumberFormat.time(roundTrip))") }
        try await self.output.write(line: JSONLine.encode(WebSocketEvent.ping(roundTrip: roundTrip)))
    }

    func note(_ text: String) {
        if self.isQuiet { return }
        guard case .prompt(let prompt) = self.format else { return System.tell(TerminalText.note(text)) }
        prompt.show("tern-cli: \(TerminalText.sanitized(text))")
    }
}

/// An event for `--report json`; the close is in the report instead.
enum WebSocketEvent: Encodable, Sendable {
    case opened(subprotocol: String?, compression: PerMessageDeflate.Agreement?)
    case message(WebSocketMessage)
    case ping(roundTrip: Duration)

    private enum CodingKeys: String, CodingKey {
        case event, subprotocol, compression, kind, bytes, text, base64, seconds
    }

    private enum CompressionKeys: String, CodingKey {
        case clientWindowBits, serverWindowBits, clientNoContextTakeover, serverNoContextTakeover
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .opened(let subprotocol, let compression):
            try container.encode("opened", forKey: .event)
            try container.encodeIfPresent(subprotocol, forKey: .subprotocol)
            guard let compression else { return }
            var agreement = container.nestedContainer(keyedBy: CompressionKeys.self, forKey: .compression)
            try agreement.encode(compression.clientWindowBits, forKey: .clientWindowBits)
            try agreement.encode(compression.serverWindowBits, forKey: .serverWindowBits)
            try agreement.encode(compression.clientNoContextTakeover, forKey: .clientNoContextTakeover)
            try agreement.encode(compression.serverNoContextTakeover, forKey: .serverNoContextTakeover)
        case .message(let message):
            try container.encode("message", forKey: .event)
            try container.encode(message.byteCount, forKey: .bytes)
            switch message {
            case .text(let text):
                try container.encode("text", forKey: .kind)
                try container.encode(text, forKey: .text)
            case .binary(let data):
                try container.encode("binary", forKey: .kind)
                try container.encode(data.base64EncodedString(), forKey: .base64)
            }
        case .ping(let roundTrip):
            try container.encode("ping", forKey: .event)
            try container.encode((roundTrip / .microseconds(1)).rounded() / 1_000_000, forKey: .seconds)
        }
    }
}
