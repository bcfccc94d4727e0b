// SPDX-License-Identifier: Apache-2.0
// The program in the article "Streaming a model's answer". scripts/check snippets
// fails if the two copies differ.

// snippet.answer-program
import Foundation
import Tern

struct Question: Encodable {
    var input: String
    var stream = true
}

struct Delta: Decodable { var text: String }

let address =
    CommandLine.arguments.dropFirst().first ?? "http://127.0.0.1:8767/v1/answers"
let client = Client()

func show(_ text: String) { FileHandle.standardOutput.write(Data(text.utf8)) }

func ask(_ input: String) async {
    let request = Request(.post, address).body(json: Question(input: input))
    do {
        let deltas = try await client.events(
            for: request,
            as: Delta.self,
            until: .data("[DONE]")
        )
        for try await delta in deltas { show(delta.text) }
        show("\n")
    } catch {
        switch error {  // a ClientError
        case .cancelled: show(" [stopped]\n")
        case .truncated, .connectionLost: show(" [the answer was cut off]\n")
        default: show(" [\(error.localizedDescription)]\n")
        }
    }
}

await ask("Why is the sky blue?")
await ask("Why is the sky blue? Stop short.")

let asking = Task { await ask("Tell me a story.") }
try await Task.sleep(for: .seconds(1))
asking.cancel()  // the person taps Stop
await asking.value
// snippet.end
