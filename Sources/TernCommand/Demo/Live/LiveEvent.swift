// SPDX-License-Identifier: Apache-2.0
import Tern

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What is said on the live channel of a photo, as JSON in a text message.
struct LiveEvent: Codable, Equatable, Sendable {
    enum Kind: String, Codable, Sendable {
        /// The server greets whoever comes.
        case welcome
        case comment
        case like
        /// Somebody wants to leave.
        case goodnight
    }

    var kind: Kind
    /// Who says it.
    var author: String
    var text: String?
    /// How many likes the photo has; told by the server.
    var likes: Int?

    init(_ kind: Kind, by author: String, text: String? = nil, likes: Int? = nil) {
        self.kind = kind
        self.author = author
        self.text = text
        self.likes = likes
    }

    /// Reads an event.
    init(_ text: String) throws { self = try JSONDecoder().decode(LiveEvent.self, from: Data(text.utf8)) }

    /// The event as text.
    var json: String { JSONLine.encode(self) }
}

extension LiveEvent {
    /// Reads an event from a message.
    init(_ message: WebSocketMessage) throws {
        guard case .text(let text) = message else { throw DemoFailure("events are text") }
        try self.init(text)
    }
}
