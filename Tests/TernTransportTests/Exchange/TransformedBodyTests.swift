// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import NIOCore
import Synchronization
import TernErrors
import TernRequests
import TernTesting
import TernTransport
import TestSupport
import Testing

@Suite("Bodies that are transformed or observed", .hangLimit)
struct TransformedBodyTests {
    /// A source that delivers pieces and then the end or an error, and records the calls of its methods.
    private final class Pieces: ResponseBodySource {
        let length: Int64? = nil
        let asked = Observed<[Int]>([])
        let discards = Observed(0)
        private let left: Mutex<[String]>
        private let error: ClientError?

        init(_ pieces: [String], error: ClientError? = nil) {
            self.left = Mutex(pieces)
            self.error = error
        }

        func next(atLeast byteCount: Int) async throws(ClientError) -> ByteBuffer? {
            self.asked.update { $0.append(byteCount) }
            let piece = self.left.withLock { $0.isEmpty ? nil : $0.removeFirst() }
            if let piece { return ByteBuffer(string: piece) }
            if let error { throw error }
            return nil
        }

        func discard() { self.discards.update { $0 += 1 } }
    }

    /// A transform that outputs pairs of letters, and the remaining letter at the end.
    private struct Pairs: BodyTransform {
        var rest = ""
        var isOver = false

        mutating func next(_ input: BodyInput, atLeast byteCount: Int) throws(ClientError) -> BodyStep {
            switch input {
            case .none: break
            case .bytes(let bytes): self.rest += String(buffer: bytes)
            case .end: self.isOver = true
            }
            if self.rest.contains("!") { throw .bodyTooLarge(limit: 0, ClientError.Context(phase: .body)) }
            let count = self.isOver ? min(2, self.rest.count) : 2
            guard self.rest.count >= count, count > 0 else { return self.isOver ? .end : .read(atLeast: byteCount) }
            defer { self.rest.removeFirst(count) }
            return .output(ByteBuffer(string: String(self.rest.prefix(count))))
        }
    }

    private let call: HTTPCall

    init() throws {
        let request = Request(.get, "http://example.com/")
        self.call = HTTPCall(request, to: try request.destination(), timeouts: Timeouts(), clock: ManualClock())
    }

    private func pieces(of body: ResponseBody) async throws(ClientError) -> [String] {
        var (pieces, reader) = ([String](), body.makeReader())
        while let bytes = try await reader.next() { pieces.append(String(buffer: bytes)) }
        return pieces
    }

    private func failure(of body: ResponseBody) async -> ClientError? {
        do throws(ClientError) {
            _ = try await self.pieces(of: body)
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: [["abcde"], ["a", "b", "c", "d", "e"], ["ab", "cde"], ["abcd", "e"], ["a", "bcd", "e"]])
    func `the output does not depend on where the input is cut`(input: [String]) async throws {
        let source = Pieces(input)
        let body = ResponseBody(source).transformed(by: Pairs(), length: 5, for: self.call)
        #expect(body.length == 5)
        #expect(try await self.pieces(of: body) == ["ab", "cd", "e"])
        #expect(try await self.pieces(of: body).isEmpty)
        #expect(source.discards.value == 1)
    }

    @Test func `a body in memory is transformed as one that comes in pieces`() async throws {
        let body = ResponseBody("abcde").transformed(by: Pairs(), length: nil, for: self.call)
        #expect(try await self.pieces(of: body) == ["ab", "cd", "e"])
    }

    @Test func `what the reader wants is asked of the body below`() async throws {
        let source = Pieces(["ab"])
        var reader = ResponseBody(source).transformed(by: Pairs(), length: nil, for: self.call).makeReader()
        _ = try await reader.next(atLeast: 7)
        #expect(source.asked.value == [7])
    }

    @Test func `an error of the transform ends the body and discards what is below`() async throws {
        let source = Pieces(["ab", "!", "cd"])
        let body = ResponseBody(source).transformed(by: Pairs(), length: nil, for: self.call)
        let failure = await self.failure(of: body)
        guard case .bodyTooLarge? = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(source.discards.value == 1)
        #expect(try await self.pieces(of: body).isEmpty)
    }

    @Test func `an error of the body below goes through`() async throws {
        let broken = ClientError.cancelled(ClientError.Context(phase: .body))
        let source = Pieces(["ab"], error: broken)
        let body = ResponseBody(source).transformed(by: Pairs(), length: nil, for: self.call)
        let failure = await self.failure(of: body)
        #expect(failure?.isCancellation == true)
        #expect(source.discards.value == 1)
    }

    @Test func `discarding it discards what is below, and reading it later says so`() async throws {
        let source = Pieces(["ab", "cd"])
        var reply = HTTPReply(
            response: Response(url: self.call.request.url),
            body: ResponseBody(source).transformed(by: Pairs(), length: nil, for: self.call)
        )
        let copy = reply
        reply.discardBody()
        #expect(source.discards.value == 1)
        #expect(reply.body.whole == ByteBuffer())
        let failure = await self.failure(of: copy.body)
        guard case .bodyMisused(.discarded, _)? = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(source.asked.value.isEmpty)
    }

    // MARK: Observed

    private struct Log: BodyObserver {
        let lines = Observed<[String]>([])

        func didEnd(_ error: ClientError?) async { self.lines.update { $0.append(error == nil ? "end" : "error") } }

        func didDiscard() { self.lines.update { $0.append("discarded") } }
    }

    @Test func `an observer is told of the end`() async throws {
        let log = Log()
        let body = ResponseBody(ObservedBody(ResponseBody(Pieces(["ab"])), log))
        #expect(try await self.pieces(of: body) == ["ab"])
        #expect(log.lines.value == ["end"])
        #expect(try await self.pieces(of: body).isEmpty)
        #expect(log.lines.value == ["end"])
    }

    @Test func `an observer is told of an error`() async throws {
        let log = Log()
        let broken = ClientError.cancelled(ClientError.Context(phase: .body))
        let body = ResponseBody(ObservedBody(ResponseBody(Pieces(["ab"], error: broken)), log))
        _ = await self.failure(of: body)
        #expect(log.lines.value == ["error"])
    }

    @Test func `an observer is told that the body was discarded, or released`() async throws {
        let source = Pieces(["ab"])
        let log = Log()
        do {
            let body = ResponseBody(ObservedBody(ResponseBody(source), log))
            body.discard()
            #expect(source.discards.value == 1)
        }
        #expect(log.lines.value == ["discarded"])
        let other = Log()
        do { _ = ResponseBody(ObservedBody(ResponseBody(source), other)) }
        #expect(other.lines.value == ["discarded"])
    }
}
