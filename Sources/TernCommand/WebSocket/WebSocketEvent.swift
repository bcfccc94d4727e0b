// SPDX-License-Identifier: Apache-2.0
import Tern

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What happens on a WebSocket, for machines; that it is closed is told by the report.
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
