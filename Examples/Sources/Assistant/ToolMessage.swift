// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A message of JSON-RPC 2.0, with the members that this example uses.
///
/// A request has an `id` and a `method`, a notification only a `method`, and a response only an `id`.
struct ToolMessage: Codable, Equatable, Sendable {
    /// The parameters of a call, and those of a notification of progress.
    struct Parameters: Codable, Equatable, Sendable {
        var name: String?
        var progress: Int?
        var total: Int?
    }

    /// The result of a call.
    struct Result: Codable, Equatable, Sendable {
        var text: String
    }

    var jsonrpc = "2.0"
    var id: Int?
    var method: String?
    var params: Parameters?
    var result: Result?

    /// A request that calls a tool.
    static func call(_ name: String, id: Int) -> ToolMessage {
        ToolMessage(id: id, method: "tools/call", params: Parameters(name: name))
    }

    /// A notification that says how much of the work is done.
    static func progress(_ progress: Int, of total: Int) -> ToolMessage {
        ToolMessage(method: "notifications/progress", params: Parameters(progress: progress, total: total))
    }

    /// The response to a call.
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
