// SPDX-License-Identifier: Apache-2.0
import DemoServer
import Foundation

/// A question to the model, as the body of a `POST`.
struct Question: Codable {
    var input: String
    /// Whether the answer arrives in pieces; this server has no other answers.
    var stream = true
}

/// A piece of an answer, as the data of one event.
struct Delta: Codable {
    var text: String
}

/// A server that speaks like the API of a model: it answers a question word by word.
///
/// For "Break off", the server closes the connection in the middle of the answer. For "Stop short", it ends the response properly
/// there, as a proxy or a server that restarts may do. Then only the missing `[DONE]` shows that the answer is not complete.
struct ModelServer: Sendable {
    static let path = "/v1/answers"

    static let end = "[DONE]"

    var pause = Duration.zero

    func answer(_ request: DemoRequest) -> DemoAnswer {
        guard request.method == "POST", request.path == Self.path else { return .notFound }
        guard let question = try? JSONDecoder().decode(Question.self, from: Data(request.body)) else {
            return .text(#"{"message": "The body is not a question."}"#, status: 400, type: "application/json")
        }
        let isBroken = question.input.contains("Break off")
        let isCut = isBroken || question.input.contains("Stop short")
        var events = Self.pieces(of: Self.answer(to: question.input)).map { "data: \(Delta(text: $0).json)\n\n" }
        if isCut { events.removeLast(events.count / 2) } else { events.append("data: \(Self.end)\n\n") }
        return DemoAnswer(
            type: "text/event-stream",
            fields: [("cache-control", "no-store")],
            ending: isBroken ? .close : .complete,
            pieces: self.paced(events)
        )
    }

    private static func answer(to question: String) -> String {
        question.contains("story")
            ? "Once upon a time, a tern flew from one end of the world to the other, and back again, every year."
            : "Air scatters blue light more than red light, so blue reaches you from every direction."
    }

    /// The words of a text, each with the space before it.
    private static func pieces(of text: String) -> [String] {
        let words = text.split(separator: " ")
        return words.indices.map { $0 == 0 ? String(words[$0]) : " \(words[$0])" }
    }

    private func paced(_ events: [String]) -> AsyncStream<[UInt8]> {
        AsyncStream { continuation in
            let task = Task {
                for event in events {
                    try await Task.sleep(for: self.pause)
                    continuation.yield(Array(event.utf8))
                }
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }
}

extension Encodable {
    /// The value as JSON; the types of this example can always be encoded.
    var json: String { String(decoding: (try? JSONEncoder().encode(self)) ?? Data(), as: UTF8.self) }
}
