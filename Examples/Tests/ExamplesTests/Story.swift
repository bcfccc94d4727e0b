// SPDX-License-Identifier: Apache-2.0
import Synchronization
import Tern

/// Collects the output of a demo.
final class Story: Sendable {
    private let all = Mutex<[String]>([])

    var lines: [String] { self.all.withLock { $0 } }

    func add(_ line: String) { self.all.withLock { $0.append(line) } }
}

/// A transport that records a request and sends nothing.
final class Seen: Transport {
    private let last = Mutex<HTTPFields?>(nil)

    var fields: HTTPFields? { self.last.withLock { $0 } }

    func respond(to call: HTTPCall) async throws(ClientError) -> HTTPReply {
        let fields = call.request.fields
        self.last.withLock { $0 = fields }
        throw .cancelled(call.context(.send))
    }
}
