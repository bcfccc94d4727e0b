// SPDX-License-Identifier: Apache-2.0
import Foundation

/// One line of the chat, as the server numbers it: everybody hears the same lines in the same order.
struct ChatLine: Codable, Equatable, Sendable {
    /// How long a text may be, in UTF-8: a screenful, and in JSON far below what the server takes as a message.
    static let maximumTextByteCount = 4096
    /// How long a name may be, in UTF-8.
    static let maximumNameByteCount = 64

    /// From 1, without a gap.
    var number: Int
    /// Made by who says it, so that what is sent twice is heard once.
    var id: UUID
    var author: String
    var text: String

    /// The line for a terminal, which would obey control characters: move, clear, or write in the name of another.
    var shown: String { "\(Self.harmless(self.author)): \(Self.harmless(self.text))" }

    private static func harmless(_ text: String) -> String {
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars where !Self.isObeyed(scalar) { scalars.append(scalar) }
        return String(scalars)
    }

    /// Control characters, and those that turn the direction of writing or end a line.
    private static func isObeyed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        default: scalar.properties.isBidiControl
        }
    }
}

/// What a client says to the server, as JSON in a text message.
enum ChatRequest: Codable, Equatable, Sendable {
    /// The first message: who it is, and the last line they have heard, 0 for none, of which room.
    case join(name: String, room: UUID?, after: Int)
    /// Something to be heard by all.
    case say(id: UUID, text: String)
}

/// What the server says to a client, as JSON in a text message.
enum ChatReply: Codable, Equatable, Sendable {
    /// The first message: which room this is, and after which line it goes on; after 0 if the client knows another room.
    case welcome(room: UUID, after: Int)
    /// Something that was said.
    case line(ChatLine)
}

extension Encodable {
    /// The value as JSON; the types of the chat can always be encoded.
    var json: String { String(decoding: (try? JSONEncoder().encode(self)) ?? Data(), as: UTF8.self) }
}

extension Decodable {
    /// Reads JSON; `nil` if it is something else.
    init?(json: String) {
        guard let value = try? JSONDecoder().decode(Self.self, from: Data(json.utf8)) else { return nil }
        self = value
    }
}
