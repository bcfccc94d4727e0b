// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Tern
import TernErrors
import TernFoundation
import TernRequests
import TernTesting
import TestSupport
import Testing

@Suite("Client.bytes", .hangLimit)
struct BytesTests {
    private func lines(_ text: String, drip: Int? = nil) async throws -> [String] {
        let plan = ConnectionPlan.accept(toClient: drip.map { [.drip(bytesPerPiece: $0)] } ?? [])
        let scene = ClientScene(plan: plan) { _ in .response(body: text) }
        let (bytes, _) = try await scene.client.bytes(from: testURL)
        var lines: [String] = []
        for try await line in bytes.lines { lines.append(line) }
        #expect(scene.connector.openCount == 1)
        return lines
    }

    @Test func `returns with the head, before the body has come`() async throws {
        let scene = ClientScene { _ in .raw("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n", ending: .stall) }
        let (bytes, response) = try await scene.client.bytes(from: testURL)
        #expect(response.statusCode == 200)
        #expect(bytes.length == 9)
    }

    @Test func `gives single bytes`() async throws {
        let scene = ClientScene { _ in .chunked(["one", "two"]) }
        let (bytes, _) = try await scene.client.bytes(from: testURL)
        var all: [UInt8] = []
        for try await byte in bytes { all.append(byte) }
        #expect(all == Array("onetwo".utf8))
        #expect(scene.connector.openCount == 1)
    }

    @Test func `gives pieces`() async throws {
        let scene = ClientScene { _ in .response(body: String(repeating: "x", count: 200_000)) }
        let (bytes, _) = try await scene.client.bytes(from: testURL)
        var count = 0
        for try await chunk in bytes.chunks {
            #expect(!chunk.isEmpty)
            count += chunk.count
        }
        #expect(count == 200_000)
    }

    @Test func `an empty body has no bytes, no pieces and no lines`() async throws {
        let scene = ClientScene { _ in .response() }
        for try await _ in try await scene.client.bytes(from: testURL).0 { Issue.record("a byte") }
        for try await _ in try await scene.client.bytes(from: testURL).0.chunks { Issue.record("a piece") }
        for try await _ in try await scene.client.bytes(from: testURL).0.lines { Issue.record("a line") }
    }

    static let texts: [(text: String, lines: [String])] = [
        ("one\ntwo\nthree", ["one", "two", "three"]),
        ("one\ntwo\n", ["one", "two"]),
        ("one\r\ntwo\r\n", ["one", "two"]),
        ("one\rtwo\r", ["one", "two"]),
        ("\n\none\n\n\ntwo", ["", "", "one", "", "", "two"]),
        ("\r\n\r\n", ["", ""]),
        ("\n", [""]),
        ("one", ["one"]),
        ("zwölf\nжук\n🪰", ["zwölf", "жук", "🪰"]),
    ]

    @Test(arguments: texts.indices, [nil, 1, 2, 3, 5])
    func `gives lines, wherever the pieces are cut`(index: Int, drip: Int?) async throws {
        let (text, lines) = Self.texts[index]
        #expect(try await self.lines(text, drip: drip) == lines)
    }

    @Test func `a line comes as soon as it is complete`() async throws {
        let scene = ClientScene { _ in .raw("HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nfirst\nsec", ending: .stall) }
        let (bytes, _) = try await scene.client.bytes(from: testURL)
        var iterator = bytes.lines.makeAsyncIterator()
        #expect(try await iterator.next() == "first")
    }

    @Test func `a line over the limit fails, and nothing comes after it`() async throws {
        let scene = ClientScene { _ in .response(body: "short\n0123456789\nmore\n") }
        let (bytes, _) = try await scene.client.bytes(from: testURL)
        var iterator = bytes.lines(maximumByteCount: 9).makeAsyncIterator()
        #expect(try await iterator.next() == "short")
        do throws(ClientError) {
            _ = try await iterator.next()
            Issue.record("the line is too long")
        } catch {
            guard case .lineTooLong(limit: 9, _) = error else { throw error }
        }
        #expect(try await iterator.next() == nil)
    }

    @Test func `the client's limit holds where no other is given`() async throws {
        var configuration = Client.Configuration()
        configuration.maximumLineByteCount = 4
        let scene = ClientScene(configuration) { _ in .response(body: "12345\n") }
        let (bytes, _) = try await scene.client.bytes(from: testURL)
        let error = await failure { () async throws(ClientError) in
            for try await _ in bytes.lines {}
        }
        guard case .lineTooLong(limit: 4, _)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func `leaving the loop early frees the connection`() async throws {
        let scene = ClientScene { _ in .raw("HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\none\ntwo\n", ending: .stall) }
        do {
            let (bytes, _) = try await scene.client.bytes(from: testURL)
            for try await line in bytes.lines where line == "one" { break }
        }
        await scene.expectNoExchange()
        if !TestedVersion.isHTTP2 { try await scene.connector.waitForServers() }  // HTTP/2 ends only the stream
    }

    @Test func `not reading at all frees the connection`() async throws {
        let scene = ClientScene { _ in halfResponse }
        do { _ = try await scene.client.bytes(from: testURL) }
        await scene.expectNoExchange()
    }

    @Test func `cancellation in the loop ends it`() async throws {
        let scene = ClientScene { _ in halfResponse }
        let begun = Flag()
        let reading = Task {
            for try await _ in try await scene.client.bytes(from: testURL).0 { begun.raise() }
        }
        await begun.wait(for: 4)
        reading.cancel()
        let error = await #expect(throws: ClientError.self) { try await reading.value }
        #expect(error?.isCancellation == true)
        await scene.expectNoExchange()
    }

    @Test func `a body that is cut gives what came and then fails`() async throws {
        let scene = ClientScene { _ in .raw("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf", ending: .close) }
        let (bytes, _) = try await scene.client.bytes(from: testURL)
        var text = ""
        do throws(ClientError) {
            for try await byte in bytes { text.unicodeScalars.append(Unicode.Scalar(byte)) }
            Issue.record("the body is not complete")
        } catch {
            guard case .truncated(received: 4, expected: 9, _) = error else { throw error }
        }
        #expect(text == "half")
    }

    @Test func `a second iterator does not begin again, even if the whole body is there`() async throws {
        let scene = ClientScene { _ in .response(body: "a\nb\nc\n") }
        let (bytes, _) = try await scene.client.bytes(from: testURL)
        #expect(bytes.length == 6)
        var first = bytes.makeAsyncIterator()
        #expect(try await first.next() == UInt8(ascii: "a"))
        for try await line in bytes.lines { Issue.record("\(line) was read twice") }
        for try await chunk in bytes.chunks { Issue.record("\(chunk) was read twice") }
    }

    @Test(arguments: ["a\nb\n", "a", ""])
    func `after the end, a second loop is told that nothing is left`(body: String) async throws {
        let scene = ClientScene { _ in .response(body: body) }
        func isTold(_ loop: (ResponseBytes) async throws(ClientError) -> Void) async throws -> Bool {
            let (bytes, _) = try await scene.client.bytes(from: testURL)
            for try await _ in bytes.lines {}
            let error = await failure { () async throws(ClientError) in try await loop(bytes) }
            for try await chunk in bytes.chunks { Issue.record("\(chunk) was read twice") }
            return error?.fault == .bodyMisused(.discarded)
        }
        #expect(try await isTold { (bytes) async throws(ClientError) in for try await _ in bytes.lines {} })
        #expect(try await isTold { (bytes) async throws(ClientError) in for try await _ in bytes {} })
        #expect(try await isTold { (bytes) async throws(ClientError) in for try await _ in bytes.events() {} })
    }

    @Test func `an iterator that has reached the end stays there`() async throws {
        let scene = ClientScene { _ in .response(body: "a\n") }
        let (bytes, _) = try await scene.client.bytes(from: testURL)
        var iterator = bytes.lines.makeAsyncIterator()
        #expect(try await iterator.next() == "a")
        #expect(try await iterator.next() == nil)
        #expect(try await iterator.next() == nil)
    }

    @Test(.http1Only("needs content that arrives in pieces"))
    func `a second iterator of another grain goes on with what is not taken yet`() async throws {
        let scene = ClientScene(plan: .accept(toClient: [.drip(bytesPerPiece: 1)])) { _ in .response(body: "a\nb\nc\n")
        }
        let (bytes, _) = try await scene.client.bytes(from: testURL)
        var first = bytes.makeAsyncIterator()
        #expect(try await first.next() == UInt8(ascii: "a"))
        #expect(try await first.next() == UInt8(ascii: "\n"))
        var lines: [String] = []
        for try await line in bytes.lines { lines.append(line) }
        #expect(lines == ["b", "c"])
    }
}
