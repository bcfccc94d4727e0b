// SPDX-License-Identifier: Apache-2.0
import Foundation

/// One line of the chat, as the server numbers it: everybody hears the same lines in the same order.
struct ChatLine: Codable, Equatable, Sendable {
    /// From 1, without a gap.
    var number: Int
    /// Made by who says it, so that what is sent twice is heard once.
    var id: UUID
    var author: String
    var text: String
}

/// What a client says to the server, as JSON in a text message.
enum ChatRequest: Codable, Equatable, Sendable {
    /// The first message: who it is, and the last line they have heard; 0 for none.
    case join(name: String, after: Int)
    /// Something to be heard by all.
    case say(id: UUID, text: String)
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
