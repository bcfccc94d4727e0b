// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import Synchronization
import Tern
import TernErrors
import TernRequests
import TernTesting
import TestSupport
import Testing

/// Tests a sequence whose server keeps its events, honors `Last-Event-ID`, and dies at random places.
@Suite("A server that restarts", .hangLimit)
struct ReconnectingRestartTests {
    /// The events of a server, and the random places at which it dies.
    private final class MortalServer: Sendable {
        static let eventCount = 400
        static let restartCount = 200

        private struct State {
            var generator: SeededGenerator
            var deathCount = 0
        }

        private let state: Mutex<State>

        init(seed: UInt64) { self.state = Mutex(State(generator: SeededGenerator(seed: seed))) }

        /// The number of responses that ended before the last event.
        var deathCount: Int { self.state.withLock { $0.deathCount } }

        /// Returns the text of an event, whose data, lines and fields differ.
        static func text(_ number: Int) -> String {
            let end = ["\n", "\r\n", "\r"][number % 3]
            var lines = ["id: e\(number)", "data: \(number)", "data: zwölf"]
            if number.isMultiple(of: 2) { lines.swapAt(0, 1) }
            if number.isMultiple(of: 5) { lines.insert(": keep", at: 1) }
            if number.isMultiple(of: 7) { lines.append("retry: 0") }
            return lines.map { $0 + end }.joined() + end
        }

        /// Returns the events after the given one, as a response in chunks.
        private static func response(after id: String?) -> [UInt8] {
            let first = id.flatMap { Int($0.dropFirst()) }.map { $0 + 1 } ?? 0
            var body = ScriptedResponse.openHead
            for number in first..<max(first, Self.eventCount) {
                let text = Self.text(number)
                body += "\(String(text.utf8.count, radix: 16))\r\n\(text)\r\n"
            }
            return Array((body + "e\r\ndata: [DONE]\n\n\r\n0\r\n\r\n").utf8)
        }

        /// Returns the bytes that a connection gets, and whether the server then lives.
        func answer(_ request: ReceivedRequest) -> (bytes: [UInt8], lives: Bool) {
            let whole = Self.response(after: request.lastEventID)
            return self.state.withLock { state in
                guard state.deathCount < Self.restartCount else { return (whole, true) }
                state.deathCount += 1
                switch Int.random(in: 0..<10, using: &state.generator) {
                case 0: return ([], false)
                case 1: return (Array("HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n".utf8), true)
                case 2: return (Self.orderly(after: request.lastEventID, &state.generator), true)
                default:
                    // At most a few events, so that all the deaths happen before the last event.
                    let limit = min(whole.count - 30, ScriptedResponse.openHead.utf8.count + 130)
                    return (Array(whole.prefix(Int.random(in: 1..<limit, using: &state.generator))), false)
                }
            }
        }

        /// Returns a complete response that ends between or within two events.
        private static func orderly(after id: String?, _ generator: inout SeededGenerator) -> [UInt8] {
            let first = id.flatMap { Int($0.dropFirst()) }.map { $0 + 1 } ?? 0
            let events = (first..<first + 3).map(Self.text).joined()
            let body = Array(events.utf8.prefix(Int.random(in: 0..<events.utf8.count, using: &generator)))
            let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: \(body.count)\r\n\r\n"
            return Array(head.utf8) + body
        }
    }

    @Test(arguments: [1, 2, 3, 20_260_101] as [UInt64])
    func `no event is lost and none comes twice`(seed: UInt64) async throws {
        let server = MortalServer(seed: seed)
        let scene = StreamScene(.untimed) { connection, request in
            let (bytes, lives) = server.answer(request)
            try await connection.write(bytes)
            return lives
        }
        let events = scene.client.reconnectingEvents(from: testURL, until: .data("[DONE]"), policy: .immediate)
        var (numbers, connectionCount, disconnectionCount) = ([String](), 0, 0)
        for try await element in events {
            switch element {
            case .connected: connectionCount += 1
            case .event(let event):
                numbers.append(event.id)
                #expect(event.data == "\(event.id.dropFirst())\nzwölf")
            case .disconnected(let disconnection, _):
                disconnectionCount += 1
                #expect(disconnection.lastEventID == numbers.last ?? "")
            }
        }
        #expect(numbers == (0..<MortalServer.eventCount).map { "e\($0)" })
        #expect(server.deathCount == MortalServer.restartCount)
        #expect(scene.requests.count == MortalServer.restartCount + 1)
        // If an idle connection turns out to be dead, the client sends the request again by itself.
        #expect(disconnectionCount <= scene.requests.count)
        #expect(connectionCount > 20 && connectionCount < disconnectionCount)
    }
}
