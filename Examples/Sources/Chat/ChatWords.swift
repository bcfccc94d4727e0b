// SPDX-License-Identifier: Apache-2.0
import Foundation

/// One line of the chat, numbered by the server.
///
/// All members receive the same lines in the same order.
struct ChatLine: Codable, Equatable, Sendable {
    /// In bytes of UTF-8; it fills a screen, and is far shorter than the longest message that the server accepts.
    static let maximumTextByteCount = 4096
    /// In bytes of UTF-8.
    static let maximumNameByteCount = 64

    /// The number of the line, from 1, without gaps.
    var number: Int
    /// The id that the sending client chose, so that the server stores a line once that the client sends twice.
    var id: UUID
    var author: String
    var text: String

    /// The line without control characters, which could move a terminal's cursor, clear the screen or fake a name.
    var shown: String { "\(Self.harmless(self.author)): \(Self.harmless(self.text))" }

    private static func harmless(_ text: String) -> String {
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars where !Self.isObeyed(scalar) { scalars.append(scalar) }
        return String(scalars)
    }

    /// Whether a terminal would act on a character: it is a control character, changes the writing direction, or ends a line.
    private static func isObeyed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        default: scalar.properties.isBidiControl
        }
    }
}

/// A client's message to the server, as JSON in a text message.
enum ChatRequest: Codable, Equatable, Sendable {
    /// The first message: the person's name, and the number and the room of the last line that they know; 0 if they know none.
    case join(name: String, room: UUID?, after: Int)
    /// A line for all members.
    case say(id: UUID, text: String)
}

/// The server's message to a client, as JSON in a text message.
enum ChatReply: Codable, Equatable, Sendable {
    /// The first message: the room, and the line after which the server continues; 0 if the client named another room.
    case welcome(room: UUID, after: Int)
    case line(ChatLine)
}

extension Encodable {
    /// The value as JSON; the types of the chat can always be encoded.
    var json: String { String(decoding: (try? JSONEncoder().encode(self)) ?? Data(), as: UTF8.self) }
}

extension Decodable {
    /// Reads the JSON of a value, or returns `nil` if the text is something else.
    init?(json: String) {
        guard let value = try? JSONDecoder().decode(Self.self, from: Data(json.utf8)) else { return nil }
        self = value
    }
}
