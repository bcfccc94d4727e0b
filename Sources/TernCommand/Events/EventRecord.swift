// SPDX-License-Identifier: Apache-2.0
import Tern

/// An element of a stream of server-sent events, as a line of JSON for `--report json`.
enum EventRecord: Encodable, Sendable {
    case event(ServerSentEvent)
    case connected(status: Int)
    case disconnected(EventDisconnection, attempt: Int)

    private enum CodingKeys: String, CodingKey {
        case event, data, id, comment
        case state, status, attempt, outcome, message, lastEventID, retrySeconds
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .event(let event):
            if let comment = event.comment { return try container.encode(comment, forKey: .comment) }
            try container.encode(event.event, forKey: .event)
            try container.encode(event.data, forKey: .data)
            try container.encode(event.id, forKey: .id)
        case .connected(let status):
            try container.encode("connected", forKey: .state)
            try container.encode(status, forKey: .status)
        case .disconnected(let disconnection, let attempt):
            try container.encode("disconnected", forKey: .state)
            try container.encode(disconnection.lastEventID, forKey: .lastEventID)
            if let error = disconnection.error {
                try container.encode(Outcome(error), forKey: .outcome)
                try container.encode(error.description, forKey: .message)
            }
            guard let delay = disconnection.retryDelay else { return }
            try container.encode(attempt, forKey: .attempt)
            try container.encode((delay / .milliseconds(1)).rounded() / 1000, forKey: .retrySeconds)
        }
    }
}
