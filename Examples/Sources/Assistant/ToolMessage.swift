// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A message of JSON-RPC 2.0, with the members that this example uses.
///
/// A request has an `id` and a `method`, a notification only a `method`, and a response only an `id`.
struct ToolMessage: Codable, Equatable, Sendable {
    struct Parameters: Codable, Equatable, Sendable {
        var name: String?
        var progress: Int?
        var total: Int?
    }

    struct Result: Codable, Equatable, Sendable {
        var text: String
    }

    var jsonrpc = "2.0"
    var id: Int?
    var method: String?
    var params: Parameters?
    var result: Result?

    static func call(_ name: String, id: Int) -> ToolMessage {
        ToolMessage(id: id, method: "tools/call", params: Parameters(name: name))
    }

    static func progress(_ progress: Int, of total: Int) -> ToolMessage {
        ToolMessage(method: "notifications/progress", params: Parameters(progress: progress, total: total))
    }

    static func response(_ text: String, id: Int?) -> ToolMessage {
        ToolMessage(id: id, result: Result(text: text))
    }

    /// Whether this is the response to the call with this id.
    func isResponse(to id: Int) -> Bool { self.method == nil && self.id == id }
}

extension ToolMessage {
    /// Reads the JSON of a message, or returns `nil` if the text is something else.
    init?(json: String) {
        guard let message = try? JSONDecoder().decode(Self.self, from: Data(json.utf8)) else { return nil }
        self = message
    }
}
