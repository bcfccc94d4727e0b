// SPDX-License-Identifier: Apache-2.0
import Foundation

/// One line of the chat, numbered by the server.
///
/// All members receive the same lines in the same order.
struct ChatLine: Codable, Equatable, Sendable {
    /// The maximum length of a text in UTF-8: a screenful, and in JSON far less than the server accepts as a message.
    static let maximumTextByteCount = 4096
    /// The maximum length of a name in UTF-8.
    static let maximumNameByteCount = 64

    /// The number of the line, from 1, without gaps.
    var number: Int
    /// The id that the sending client chose, so that a line that is sent twice appears once.
    var id: UUID
    var author: String
    var text: String

    /// The line for a terminal, without control characters, which could move the cursor, clear the screen or fake a
    /// name.
    var shown: String { "\(Self.harmless(self.author)): \(Self.harmless(self.text))" }

    private static func harmless(_ text: String) -> String {
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars where !Self.isObeyed(scalar) { scalars.append(scalar) }
        return String(scalars)
    }

    /// Control characters, and characters that change the writing direction or end a line.
    private static func isObeyed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        default: scalar.properties.isBidiControl
        }
    }
}

/// A client's message to the server, as JSON in a text message.
enum ChatRequest: Codable, Equatable, Sendable {
    /// The first message: the person's name, and the last line they know (0 for none) with its room.
    case join(name: String, room: UUID?, after: Int)
    /// A line for all members.
    case say(id: UUID, text: String)
}

/// The server's message to a client, as JSON in a text message.
enum ChatReply: Codable, Equatable, Sendable {
    /// The first message: the room, and the line after which it continues; 0 if the client knows another room.
    case welcome(room: UUID, after: Int)
    /// A line of the chat.
    case line(ChatLine)
}

extension Encodable {
    /// The value as JSON; the types of the chat can always be encoded.
    var json: String { String(decoding: (try? JSONEncoder().encode(self)) ?? Data(), as: UTF8.self) }
}

extension Decodable {
    /// Reads JSON, or returns `nil` for anything else.
    init?(json: String) {
        guard let value = try? JSONDecoder().decode(Self.self, from: Data(json.utf8)) else { return nil }
        self = value
    }
}
