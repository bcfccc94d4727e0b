// SPDX-License-Identifier: Apache-2.0
import DemoServer
import Synchronization

/// Serves files with entity tags, whole or in parts; one of them breaks off once, to show how a transfer is resumed.
final class FileServer: Sendable {
    private struct State {
        var files: [String: DemoPhoto]
        var fragile: String?
        var sentByteCount = 0
    }

    private let state: Mutex<State>

    /// Serves files by path, of which `fragile` breaks off in the middle of its first response.
    init(_ files: [String: DemoPhoto], fragile: String? = nil) {
        self.state = Mutex(State(files: files, fragile: fragile))
    }

    var sentByteCount: Int { self.state.withLock { $0.sentByteCount } }

    func replace(_ path: String, by file: DemoPhoto) { self.state.withLock { $0.files[path] = file } }

    func answer(_ request: DemoRequest) -> DemoAnswer {
        self.state.withLock { state in
            guard let file = state.files[request.path] else { return .notFound }
            var answer = Self.answer(request, file)
            if state.fragile == request.path, answer.status == 200 {
                state.fragile = nil
                answer.body.removeLast(answer.body.count / 2)
                answer.ending = .close
            }
            state.sentByteCount += answer.body.count
            return answer
        }
    }

    private static func answer(_ request: DemoRequest, _ file: DemoPhoto) -> DemoAnswer {
        let tag = ("etag", file.entityTag)
        // "If the validator does not match, the server ignores Range" (RFC 9110 §13.1.5).
        guard let start = Self.start(request["range"]), request["if-range"] ?? file.entityTag == file.entityTag else {
            return file.answer(to: request)
        }
        guard start < file.bytes.count else {
            return DemoAnswer(status: 416, fields: [("content-range", "bytes */\(file.bytes.count)")])
        }
        let range = ("content-range", "bytes \(start)-\(file.bytes.count - 1)/\(file.bytes.count)")
        return DemoAnswer(status: 206, type: "image/x-demo", fields: [tag, range], body: Array(file.bytes[start...]))
    }

    /// Returns the number of the first byte in a range such as `bytes=500-`.
    private static func start(_ range: String?) -> Int? {
        guard let range, range.hasPrefix("bytes="), range.hasSuffix("-") else { return nil }
        return Int(range.dropFirst(6).dropLast())
    }
}
