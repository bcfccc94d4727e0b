// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import Tern
import TernErrors
import TernTesting
import TestSupport
import Testing

/// Tests a session with a server that answers like a language model: a head, a dozen deltas, and a final event.
@Suite("A stream that is cut after each byte", .hangLimit)
struct EventStreamCutTests {
    /// The way in which the client finds the end of the response (RFC 9112 §6.3).
    enum Framing: CaseIterable {
        case chunks
        case length
        case end
    }

    /// The bytes of a response, and the place in them at which each event is complete.
    private struct Session {
        var bytes: [UInt8] = []
        var headByteCount = 0
        /// The data of each event, and the number of bytes up to its end.
        var events: [(data: String, end: Int)] = []

        init(_ framing: Framing, lineEnd: String) {
            let deltas = (1...12).map { "{\"delta\":\"w\($0)\"}" } + ["[DONE]"]
            let texts = deltas.map { "data: \($0)\(lineEnd)\(lineEnd)" }
            self.append("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n")
            switch framing {
            case .chunks: self.append("Transfer-Encoding: chunked\r\n\r\n")
            case .length: self.append("Content-Length: \(texts.joined().utf8.count)\r\n\r\n")
            case .end: self.append("Connection: close\r\n\r\n")
            }
            self.headByteCount = self.bytes.count
            for (data, text) in zip(deltas, texts) {
                if framing == .chunks { self.append("\(String(text.utf8.count, radix: 16))\r\n") }
                self.append(text)
                // The CR of the blank line ends the event; an LF after it adds nothing.
                self.events.append((data, self.bytes.count - (lineEnd == "\r\n" ? 1 : 0)))
                if framing == .chunks { self.append("\r\n") }
            }
            if framing == .chunks { self.append("0\r\n\r\n") }
        }

        private mutating func append(_ text: String) { self.bytes += Array(text.utf8) }
    }

    /// Creates a server that sends only the number of bytes that the request's path says, and ends the connection.
    private static func scene(_ session: Session) -> StreamScene {
        StreamScene { connection, request in
            try await connection.write(session.bytes.prefix(Int(request.target.dropFirst()) ?? 0))
            return false
        }
    }

    private static func request(_ byteCount: Int) -> Request {
        Request(.post, "http://test/\(byteCount)").body(json: ["question": "why"])
    }

    /// Checks that the request arrived once.
    private static func expectRequest(_ byteCount: Int, _ scene: StreamScene) {
        let requests = scene.requests.filter { $0.target == "/\(byteCount)" }
        #expect(requests.count == 1 && scene.requests.last?.target == "/\(byteCount)")
        #expect(requests.allSatisfy { $0.method == .post && $0.text == #"{"question":"why"}"# })
    }

    @Test(arguments: Framing.allCases, ["\n", "\r\n"])
    func `the caller learns of every cut before the final event`(
        framing: Framing,
        lineEnd: String
    ) async throws {
        let session = Session(framing, lineEnd: lineEnd)
        let final = try #require(session.events.last)
        var scene = Self.scene(session)
        for count in 0...session.bytes.count {
            // A call that ends with the final event does not see that the server ends the connection. Over HTTP/2, the
            // next call could be sent on this connection, and would be lost.
            if TestedVersion.isHTTP2 { scene = Self.scene(session) }
            let outcome: (values: [ServerSentEvent], error: ClientError?)
            do throws(ClientError) {
                let stream = try await scene.client.events(for: Self.request(count), until: .data("[DONE]"))
                #expect(count >= session.headByteCount)
                outcome = await collected(stream)
            } catch {
                #expect(count < session.headByteCount, "after \(count) bytes: \(error)")
                guard case .connectionLost = error else { throw error }
                Self.expectRequest(count, scene)
                continue
            }
            let whole = session.events.dropLast().filter { $0.end <= count }.map(\.data)
            #expect(outcome.values.data == whole, "after \(count) bytes")
            // A response that ends with its connection looks complete. The mark is recognized without its blank line.
            let isMarked = framing == .end && session.bytes.count - count <= 2 * lineEnd.utf8.count
            if isMarked, TestedVersion.isHTTP2 { continue }  // a stream does not end with its connection
            let isWhole = count >= final.end || isMarked
            #expect(outcome.error?.isTruncated == (isWhole ? nil : true), "after \(count) bytes")
            Self.expectRequest(count, scene)
        }
    }

    @Test(arguments: [Framing.chunks, .length])
    func `without a final event only the whole response ends normally`(framing: Framing) async throws {
        let session = Session(framing, lineEnd: "\n")
        let scene = Self.scene(session)
        for count in session.headByteCount...session.bytes.count {
            let stream = try await scene.client.events(for: Self.request(count))
            let (events, error) = await collected(stream)
            #expect(events.data == session.events.filter { $0.end <= count }.map(\.data), "after \(count) bytes")
            let isWhole = count == session.bytes.count
            #expect(error?.isTruncated == (isWhole ? nil : true), "after \(count) bytes")
        }
        #expect(scene.requests.count == session.bytes.count - session.headByteCount + 1)
    }

    @Test(.http1Only("resets the connection after a number of its bytes"), arguments: [0, 1, 30, 60, 100, 300])
    func `a reset is no end either, and repeats nothing`(byteCount: Int) async throws {
        let session = Session(.chunks, lineEnd: "\n")
        let scene = StreamScene(plan: .accept(toClient: [.reset(afterBodyByteCount: byteCount)])) { connection, _ in
            try await connection.write(session.bytes)
            return true
        }
        let error = await failure { () async throws(ClientError) in
            let stream = try await scene.client.events(for: Self.request(0), until: .data("[DONE]"))
            for try await event in stream { #expect(session.events.contains { $0.data == event.data }) }
        }
        switch error {
        case .truncated?, .connectionLost?: break
        default: Issue.record("\(String(describing: error))")
        }
        #expect(scene.requests.count == 1)
    }
}
