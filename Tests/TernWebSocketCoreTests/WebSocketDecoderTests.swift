// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import TernWebSocketCore

@Suite("WebSocketDecoder")
struct WebSocketDecoderTests {
    /// Passes bytes to a decoder, and returns the number of read bytes, the result, and the number of expected bytes,
    /// as text.
    private static func step(_ decoder: inout WebSocketDecoder, _ bytes: [UInt8], room: Int = 0) throws -> String {
        var step = WebSocketDecoder.Step(consumedByteCount: 0)
        _ = try appending(byteCount: room) { output in
            step = try decoder.next(ContiguousArray(bytes).span.bytes, inflatingInto: &output)
        }
        let event =
            switch step.event {
            case .message(let kind, let range): "\(kind) \(range)"
            case .part(let kind, let range, let isFinal): "\(kind) part \(range)\(isFinal ? " final" : "")"
            case .inflated(let kind, let count, let isFinal): "\(kind) inflated \(count)\(isFinal ? " final" : "")"
            case .ping(let range): "ping \(range)"
            case .pong(let range): "pong \(range)"
            case .close(let code, let reason): "close \(code.map(\.description) ?? "-") \(reason)"
            case nil: "nothing"
            }
        let needs = step.needsOutput ? ", needs output" : ""
        return "\(step.consumedByteCount) \(event)\(needs), expects \(decoder.expectedByteCount)"
    }

    @Test
    func `a whole message is given as it lies in the input`() throws {
        var decoder = WebSocketDecoder()
        let bytes = serverFrame(0x81, [0x61, 0x62]) + serverFrame(0x82, [1])
        #expect(try Self.step(&decoder, bytes) == "4 text 2..<4, expects 2")
        #expect(try Self.step(&decoder, Array(bytes[4...])) == "3 binary 2..<3, expects 2")
        #expect(try Self.step(&decoder, []) == "0 nothing, expects 2")
    }

    @Test
    func `a whole message of any length is given at once`() throws {
        for count in [0, 1, 125, 126, 127, 65_535, 65_536] {
            var decoder = WebSocketDecoder()
            let bytes = serverFrame(0x81, Array(repeating: 0x61, count: count))
            let start = bytes.count - count
            #expect(try Self.step(&decoder, bytes) == "\(bytes.count) text \(start)..<\(bytes.count), expects 2")
        }
    }

    @Test
    func `it says how much of a header is missing`() throws {
        var decoder = WebSocketDecoder()
        #expect(decoder.expectedByteCount == 2)
        #expect(try Self.step(&decoder, [0x82]) == "0 nothing, expects 1")
        #expect(try Self.step(&decoder, [0x82, 126]) == "0 nothing, expects 2")
        #expect(try Self.step(&decoder, [0x82, 126, 1]) == "0 nothing, expects 1")
        #expect(try Self.step(&decoder, [0x82, 127]) == "0 nothing, expects 8")
        #expect(try Self.step(&decoder, [0x82, 127, 0, 0, 0]) == "0 nothing, expects 5")
    }

    @Test
    func `a payload is given in parts as it arrives`() throws {
        var decoder = WebSocketDecoder()
        #expect(try Self.step(&decoder, [0x82, 5]) == "2 nothing, expects 5")
        #expect(try Self.step(&decoder, []) == "0 nothing, expects 5")
        #expect(try Self.step(&decoder, [1, 2]) == "2 binary part 0..<2, expects 3")
        #expect(try Self.step(&decoder, [3, 4, 5, 0x89, 0]) == "3 binary part 0..<3 final, expects 2")
    }

    @Test
    func `header and first part come together`() throws {
        var decoder = WebSocketDecoder()
        #expect(try Self.step(&decoder, [0x82, 126, 0, 200, 7, 7]) == "6 binary part 4..<6, expects 198")
    }

    @Test
    func `empty fragments are passed without an event`() throws {
        var decoder = WebSocketDecoder()
        let bytes: [UInt8] = [0x01, 0, 0x00, 0, 0x00, 0, 0x00, 1, 0x61]
        #expect(try Self.step(&decoder, bytes) == "9 text part 8..<9, expects 2")
        #expect(try Self.step(&decoder, [0x00, 0, 0x00, 0]) == "4 nothing, expects 2")
        #expect(try Self.step(&decoder, [0x80, 0]) == "2 text part 2..<2 final, expects 2")
    }

    @Test
    func `a control frame is awaited as a whole`() throws {
        var decoder = WebSocketDecoder()
        #expect(try Self.step(&decoder, [0x89, 4, 1]) == "0 nothing, expects 3")
        #expect(try Self.step(&decoder, [0x89, 4, 1, 2, 3, 4, 5]) == "6 ping 2..<6, expects 2")
        #expect(try Self.step(&decoder, [0x8A, 0]) == "2 pong 2..<2, expects 2")
    }

    @Test
    func `a control frame behind an empty fragment lies behind it`() throws {
        var decoder = WebSocketDecoder()
        #expect(try Self.step(&decoder, [0x01, 0, 0x89, 1, 7]) == "5 ping 4..<5, expects 2")
    }

    @Test
    func `after a Close everything is ignored`() throws {
        var decoder = WebSocketDecoder()
        #expect(try Self.step(&decoder, [0x88, 2, 0x03, 0xE8, 0xFF, 0xFF]) == "4 close 1000 , expects 1")
        #expect(try Self.step(&decoder, [0xFF, 0xFF]) == "2 nothing, expects 1")
        #expect(try Self.step(&decoder, []) == "0 nothing, expects 1")
        try decoder.finish()
    }

    @Test
    func `the end without a Close is a violation, and stays one`() throws {
        for bytes: [UInt8] in [[], [0x81], [0x81, 5, 0x61], [0x81, 1, 0x61], [0x01, 0]] {
            var decoder = WebSocketDecoder()
            _ = try Self.step(&decoder, bytes)
            #expect(throws: WebSocketViolation.endedWithoutClose) { try decoder.finish() }
            #expect(throws: WebSocketViolation.endedWithoutClose) { try decoder.finish() }
            #expect(throws: WebSocketViolation.endedWithoutClose) { _ = try Self.step(&decoder, [0x88, 0]) }
        }
    }

    @Test
    func `after a violation every call throws it`() throws {
        var decoder = WebSocketDecoder()
        #expect(throws: WebSocketViolation.maskedFrame) { _ = try Self.step(&decoder, [0x81, 0x80]) }
        #expect(throws: WebSocketViolation.maskedFrame) { _ = try Self.step(&decoder, [0x81, 0x00]) }
        #expect(throws: WebSocketViolation.maskedFrame) { try decoder.finish() }
    }

    @Test
    func `no memory is taken for inflating before it is needed`() throws {
        var decoder = WebSocketDecoder(deflate: .init())
        #expect(try Self.step(&decoder, serverFrame(0x81, [0x61])) == "3 text 2..<3, expects 2")
        #expect(decoder.hasInflater == false)
        #expect(try Self.step(&decoder, [0xC1, 1, 0x00], room: 8) == "3 text inflated 0 final, expects 2")
        #expect(decoder.hasInflater == true)
    }

    @Test
    func `it says when the output is full`() throws {
        var decoder = WebSocketDecoder(deflate: .init())
        let hello: [UInt8] = [0xC2, 7, 0xF2, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00]
        #expect(try Self.step(&decoder, hello) == "2 nothing, needs output, expects 7")
        #expect(try Self.step(&decoder, []) == "0 nothing, expects 7")
        #expect(try Self.step(&decoder, Array(hello[2...]), room: 5) == "7 binary inflated 5, needs output, expects 1")
        #expect(try Self.step(&decoder, []) == "0 nothing, needs output, expects 1")
        #expect(try Self.step(&decoder, [0x82, 0], room: 1) == "0 binary inflated 0 final, expects 2")
        #expect(try Self.step(&decoder, [0x82, 0]) == "2 binary 2..<2, expects 2")
    }

    @Test
    func `a compressed frame is inflated as it arrives`() throws {
        var decoder = WebSocketDecoder(deflate: .init())
        let first = try Self.step(&decoder, [0xC2, 7, 0xF2, 0x48, 0xCD, 0xC9], room: 64)
        #expect(first == "6 binary inflated 3, expects 3")
        #expect(try Self.step(&decoder, [], room: 64) == "0 nothing, expects 3")
        let last = try Self.step(&decoder, [0xC9, 0x07, 0x00], room: 64)
        #expect(last == "3 binary inflated 2 final, expects 2")
    }

    @Test(arguments: [-1, Int.min])
    func `negative limits count as 0`(limit: Int) {
        var limits = WebSocketDecoder.Limits()
        limits.maximumMessageByteCount = limit
        var inflating = WebSocketDecoder(deflate: .init(), limits: limits)
        let hello: [UInt8] = [0xC1, 7, 0xF2, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00]
        #expect(throws: WebSocketViolation.messageTooLong(limit: 0)) { _ = try Self.step(&inflating, hello, room: 64) }
        limits.maximumFrameByteCount = limit
        var plain = WebSocketDecoder(limits: limits)
        #expect(throws: WebSocketViolation.frameTooLong(limit: 0)) { _ = try Self.step(&plain, [0x82, 1, 0]) }
    }

    @Test
    func `the default limits are those that the documentation states`() {
        let limits = WebSocketDecoder.Limits()
        #expect(limits.maximumMessageByteCount == 16 << 20)
        #expect(limits.maximumFrameByteCount == 16 << 20)
    }
}
