// SPDX-License-Identifier: Apache-2.0
import DemoServer
import Foundation
import Synchronization

/// A server of tools that follows the Model Context Protocol (streamable HTTP, revision 2025-11-25).
///
/// The server answers the `POST` of a call with a priming event, which has an ID and no data, and closes the connection. The client
/// then follows the call with a `GET`, whose `Last-Event-ID` says which message arrived last. The messages survive a restart of the
/// server, because this object does.
final class ToolServer: Sendable {
    static let path = "/mcp"

    static let stepCount = 3

    /// The minimum time that the client waits before each `GET`, in milliseconds.
    private static let retry = 20

    private let calls = Mutex<[String: ToolCallLog]>([:])

    func answer(_ request: DemoRequest) -> DemoAnswer {
        guard request.path == Self.path else { return .notFound }
        switch request.method {
        case "POST": return self.begin(request)
        case "GET": return self.resume(after: request["last-event-id"] ?? "")
        default: return .text("POST or GET\n", status: 405)
        }
    }

    /// Does the next step of every call.
    func work() {
        for log in self.calls.withLock({ Array($0.values) }) { log.advance(to: Self.stepCount) }
    }

    private func begin(_ request: DemoRequest) -> DemoAnswer {
        guard let call = ToolMessage(json: String(decoding: request.body, as: UTF8.self)), call.method == "tools/call"
        else { return .text("a call of a tool\n", status: 400) }
        let name = UUID().uuidString
        self.calls.withLock { $0[name] = ToolCallLog(name: name, id: call.id) }
        return DemoAnswer(type: "text/event-stream", body: Array("id: \(name)/0\nretry: \(Self.retry)\ndata:\n\n".utf8))
    }

    private func resume(after eventID: String) -> DemoAnswer {
        let parts = eventID.split(separator: "/").map(String.init)
        guard parts.count == 2, let number = Int(parts[1]), let log = self.calls.withLock({ $0[parts[0]] }),
            let events = log.events(after: number)
        else { return .text("an unknown event\n", status: 400) }
        return DemoAnswer(type: "text/event-stream", pieces: events)
    }
}
