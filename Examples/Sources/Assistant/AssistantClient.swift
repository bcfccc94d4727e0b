// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tern

/// The calls of the assistant: one to the model, and one to a tool.
struct AssistantClient: Sendable {
    struct Answer: Equatable {
        var text = ""
        var isCut = false
    }

    /// An event that the person sees during a call of a tool.
    enum Happening: Equatable, Sendable {
        case online
        case offline
        case progress(Int)
    }

    struct NoResult: Error, CustomStringConvertible {
        var description: String { "The tool ended without a result." }
    }

    let client = Client()
    let address: String

    /// Asks the model once, and shows each piece of the answer as it arrives: each answer costs money, and no two are the same.
    func answer(to input: String, _ show: (String) -> Void = { _ in }) async throws(ClientError) -> Answer {
        let request = Request(.post, "\(self.address)\(ModelServer.path)").body(json: Question(input: input))
        var answer = Answer()
        let deltas = try await self.client.events(for: request, as: Delta.self, until: .data(ModelServer.end))
        do {
            for try await delta in deltas {
                answer.text += delta.text
                show(delta.text)
            }
        } catch {
            switch error {
            case .truncated, .connectionLost: answer.isCut = true
            default: throw error
            }
        }
        return answer
    }

    /// Calls a tool, and follows the call until its response, over any number of connections.
    func callTool(_ name: String, _ report: (Happening) -> Void) async throws -> String {
        let call = ToolMessage.call(name, id: 1)
        let request = Request(.post, "\(self.address)\(ToolServer.path)")
            .header(.accept, "application/json, text/event-stream")
            .header("MCP-Protocol-Version", "2025-11-25")
            .body(json: call)
        let elements = self.client.reconnectingEvents(
            for: request,
            until: FinalEvent { ToolMessage(json: $0.data)?.isResponse(to: 1) == true },
            policy: EventReconnectionPolicy(initialDelay: .milliseconds(20), resumption: .get)
        )
        var result: String?
        var isOnline = false
        for try await element in elements {
            switch element {
            case .connected:
                isOnline = true
                report(.online)
            case .event(let event):
                // The priming event has no data.
                guard let message = ToolMessage(json: event.data) else { continue }
                if let progress = message.params?.progress { report(.progress(progress)) }
                result = message.result?.text
            case .disconnected(let disconnection, _):
                if isOnline, disconnection.retryDelay != nil { report(.offline) }
                isOnline = false
            }
        }
        guard let result else { throw NoResult() }
        return result
    }
}
