// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import TernHTTP1
import Testing

@Suite("ResponseDecoder")
struct ResponseDecoderTests {
    /// Passes text to a decoder, and returns the number of consumed bytes and the result, as text.
    private static func step(_ decoder: inout ResponseDecoder, _ text: String) throws(HTTP1Violation) -> String {
        let bytes = Array(text.utf8)
        let step = try decoder.next(ContiguousArray(bytes).span.bytes)
        let event =
            switch step.event {
            case nil: "nothing"
            case .informational: "interim"
            case .head: "head"
            case .body(let range): "body \(range)"
            case .end: "end"
            }
        return "\(step.consumedByteCount) \(event)"
    }

    @Test
    func `a response of known length is head, body, end`() throws {
        var decoder = ResponseDecoder(method: .get)
        let head = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n"
        #expect(try Self.step(&decoder, "\(head)helloX") == "\(head.utf8.count) head")
        #expect(try Self.step(&decoder, "helloX") == "5 body 0..<5")
        #expect(!decoder.isComplete)
        #expect(!decoder.isReusable)
        #expect(try Self.step(&decoder, "X") == "0 end")
        #expect(decoder.isComplete)
        #expect(decoder.isReusable)
        #expect(try Self.step(&decoder, "X") == "0 nothing")
        #expect(try decoder.finish() == nil)
    }

    @Test
    func `an incomplete head is not consumed`() throws {
        var decoder = ResponseDecoder(method: .get)
        #expect(try Self.step(&decoder, "") == "0 nothing")
        #expect(try Self.step(&decoder, "HTTP/1.1 2") == "0 nothing")
        #expect(try Self.step(&decoder, "HTTP/1.1 204\r\nA: ") == "0 nothing")
        #expect(try Self.step(&decoder, "HTTP/1.1 204\r\nA: b\r\n\r") == "0 nothing")
        #expect(try Self.step(&decoder, "HTTP/1.1 204\r\nA: b\r\n\r\n") == "22 head")
        #expect(try Self.step(&decoder, "") == "0 end")
    }

    @Test
    func `a chunk comes with the framing before it`() throws {
        var decoder = ResponseDecoder(method: .get)
        _ = try Self.step(&decoder, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
        #expect(try Self.step(&decoder, "5\r\nhello\r\n3\r\nyou\r\n") == "8 body 3..<8")
        #expect(try Self.step(&decoder, "\r\n3\r\nyou\r\n0\r\n\r\n") == "8 body 5..<8")
        #expect(try Self.step(&decoder, "\r\n0\r\n\r\n") == "7 end")
    }

    @Test
    func `framing without data is consumed without an event`() throws {
        var decoder = ResponseDecoder(method: .get)
        _ = try Self.step(&decoder, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
        #expect(try Self.step(&decoder, "5") == "0 nothing")
        #expect(try Self.step(&decoder, "5\r\n") == "3 nothing")
        #expect(try Self.step(&decoder, "hel") == "3 body 0..<3")
        #expect(try Self.step(&decoder, "lo") == "2 body 0..<2")
        #expect(try Self.step(&decoder, "\r") == "0 nothing")
        #expect(try Self.step(&decoder, "\r\n") == "2 nothing")
        #expect(try Self.step(&decoder, "0\r\nX: y\r\n") == "3 nothing")
        #expect(try Self.step(&decoder, "X: y\r\n\r") == "0 nothing")
        #expect(try Self.step(&decoder, "X: y\r\n\r\n") == "8 end")
    }

    @Test
    func `a body that ends with the connection is all that comes`() throws {
        var decoder = ResponseDecoder(method: .get)
        _ = try Self.step(&decoder, "HTTP/1.1 200 OK\r\n\r\n")
        #expect(try Self.step(&decoder, "hello") == "5 body 0..<5")
        #expect(try Self.step(&decoder, "") == "0 nothing")
        #expect(try decoder.finish() == .end(trailers: nil))
        #expect(decoder.isComplete)
        #expect(!decoder.isReusable)
    }

    @Test
    func `the end of the connection may report an end that was not asked for`() throws {
        var decoder = ResponseDecoder(method: .head)
        _ = try Self.step(&decoder, "HTTP/1.1 200 OK\r\n\r\n")
        #expect(try decoder.finish() == .end(trailers: nil))
        #expect(try decoder.finish() == nil)
    }

    @Test
    func `interim heads leave everything as before`() throws {
        var decoder = ResponseDecoder(method: .get)
        #expect(try Self.step(&decoder, "HTTP/1.1 100\r\n\r\nHTTP/1.1 204\r\n\r\n") == "16 interim")
        #expect(try Self.step(&decoder, "HTTP/1.1 204\r\n\r\n") == "16 head")
    }

    @Test
    func `what is left of a body can be awaited at once`() throws {
        var decoder = ResponseDecoder(method: .get)
        #expect(decoder.expectedByteCount == 1)
        _ = try Self.step(&decoder, "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n")
        #expect(decoder.expectedByteCount == 5)
        _ = try Self.step(&decoder, "he")
        #expect(decoder.expectedByteCount == 3)
        _ = try Self.step(&decoder, "llo")
        #expect(decoder.expectedByteCount == 1)
    }

    @Test
    func `what is left of a chunk can be awaited, and nothing behind it`() throws {
        var decoder = ResponseDecoder(method: .get)
        _ = try Self.step(&decoder, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
        #expect(decoder.expectedByteCount == 1)
        _ = try Self.step(&decoder, "10\r\n")
        #expect(decoder.expectedByteCount == 16)
        _ = try Self.step(&decoder, "0123456789")
        #expect(decoder.expectedByteCount == 6)
        _ = try Self.step(&decoder, "012345")
        #expect(decoder.expectedByteCount == 1)
    }

    @Test
    func `once it throws, it always throws the same`() throws {
        var decoder = ResponseDecoder(method: .get)
        #expect(throws: HTTP1Violation.malformedStatusLine) { try Self.step(&decoder, "x") }
        #expect(throws: HTTP1Violation.malformedStatusLine) { try Self.step(&decoder, "HTTP/1.1 204\r\n\r\n") }
        #expect(throws: HTTP1Violation.malformedStatusLine) { try decoder.finish() }
        #expect(!decoder.isComplete)
        #expect(!decoder.isReusable)
        #expect(decoder.expectedByteCount == 1)
    }

    @Test
    func `an end that comes too early is final`() throws {
        var decoder = ResponseDecoder(method: .get)
        #expect(throws: HTTP1Violation.closedBeforeResponse) { try decoder.finish() }
        #expect(throws: HTTP1Violation.closedBeforeResponse) { try Self.step(&decoder, "HTTP/1.1 204\r\n\r\n") }
    }

    @Test
    func `a copy goes its own way`() throws {
        var decoder = ResponseDecoder(method: .get)
        _ = try Self.step(&decoder, "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n")
        var copy = decoder
        _ = try Self.step(&copy, "hello")
        #expect(decoder.expectedByteCount == 5)
        #expect(copy.expectedByteCount == 1)
    }

    @Test
    func `a head that drips in is not searched again and again`() throws {
        // The test passes 60 KiB, one byte at a time. Quadratic work would be two billion steps, which the test would
        // notice.
        let text = "HTTP/1.1 204\r\nA: \(String(repeating: "a", count: 60 << 10))\r\n\r\n"
        let bytes = Array(text.utf8)
        var decoder = ResponseDecoder(method: .get)
        for count in 1..<bytes.count {
            let step = try decoder.next(ContiguousArray(bytes).span.extracting(first: count).bytes)
            guard step.consumedByteCount == 0, step.event == nil else {
                Issue.record("an event after \(count) bytes")
                return
            }
        }
        let step = try decoder.next(ContiguousArray(bytes).span.bytes)
        #expect(step.consumedByteCount == bytes.count)
    }
}
