// SPDX-License-Identifier: Apache-2.0
import Synchronization
import Tern
import TernTesting

/// A server that records the requests that it receives, and sends the same response to each.
final class Recorder: Sendable {
    private let requests = Mutex<[ReceivedRequest]>([])
    private let answer: String

    init(answer: String = "{}") { self.answer = answer }

    /// A client whose requests all go to this server, independent of their URLs.
    var client: Client {
        Client(
            connector: MemoryConnector { request in
                self.requests.withLock { $0.append(request) }
                return .response(body: self.answer)
            }
        )
    }

    /// The number of received requests.
    var count: Int { self.requests.withLock { $0.count } }

    /// The last received request.
    var last: ReceivedRequest? { self.requests.withLock { $0.last } }
}
