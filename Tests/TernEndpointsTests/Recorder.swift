// SPDX-License-Identifier: Apache-2.0
import Synchronization
import Tern
import TernTesting

/// A server that records the requests that it receives, and answers each one.
final class Recorder: Sendable {
    private let requests = Mutex<[ReceivedRequest]>([])
    private let answer: @Sendable (ReceivedRequest) -> ScriptedResponse

    /// Creates a server that sends the same response to each request.
    convenience init(answer: String = "{}", type: String? = nil) {
        self.init { _ in .response(fields: type.map { [.contentType: $0] } ?? [:], body: answer) }
    }

    /// Creates a server that chooses a response to each request.
    init(_ answer: @escaping @Sendable (ReceivedRequest) -> ScriptedResponse) { self.answer = answer }

    /// A client whose requests all go to this server, independent of their URLs.
    var client: Client {
        Client(
            connector: MemoryConnector { request in
                self.requests.withLock { $0.append(request) }
                return self.answer(request)
            }
        )
    }

    /// The number of received requests.
    var count: Int { self.requests.withLock { $0.count } }

    /// The last received request.
    var last: ReceivedRequest? { self.requests.withLock { $0.last } }
}
