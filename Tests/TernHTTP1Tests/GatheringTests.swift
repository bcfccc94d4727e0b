// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import TestSupport
import Testing

@testable import TernHTTP1

@Suite("ResponseDecoder, gathering")
struct GatheringTests {
    /// The result of a response: its body, its end, and the number of events.
    private struct Outcome: Equatable {
        var body: [UInt8] = []
        var isComplete = false
        var violation: HTTP1Violation?
    }

    private static let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"

    /// Decodes a response, and gathers short chunks up to `room` bytes.
    private static func outcome(
        _ pieces: [ArraySlice<UInt8>],
        room: Int?,
        limits: HTTP1Limits = .init()
    ) -> (outcome: Outcome, eventCount: Int) {
        var decoder = ResponseDecoder(method: .get, limits: limits)
        var (outcome, buffer, eventCount): (Outcome, [UInt8], Int) = (Outcome(), [], 0)
        do throws(HTTP1Violation) {
            for piece in pieces {
                buffer += piece
                while true {
                    let step = try decoder.next(ContiguousArray(buffer).span.bytes)
                    if case .body(let range)? = step.event { outcome.body += buffer[range] }
                    buffer.removeFirst(step.consumedByteCount)
                    if step.event == nil, step.consumedByteCount == 0 { break }
                    eventCount += step.event == nil ? 0 : 1
                    guard let room else { continue }
                    let canGather = decoder.canGather(ContiguousArray(buffer).span.bytes)
                    var gathered = [UInt8](repeating: 0, count: room)
                    let (consumed, written) = gathered.withUnsafeMutableBytes { output in
                        var span = OutputRawSpan(buffer: output, initializedCount: 0)
                        let consumed = decoder.gather(ContiguousArray(buffer).span.bytes, into: &span)
                        return (consumed, span.byteCount)
                    }
                    #expect(canGather || consumed == 0)
                    outcome.body += gathered[..<written]
                    buffer.removeFirst(consumed)
                }
            }
            _ = try decoder.finish()
        } catch {
            outcome.violation = error
        }
        outcome.isComplete = decoder.isComplete
        return (outcome, eventCount)
    }

    @Test(arguments: [
        "1\r\na\r\n1\r\nb\r\n1\r\nc\r\n0\r\n\r\n", "1\r\na\r\n002\r\nbc\r\n0003\r\ndef\r\n0\r\nA: b\r\n\r\n",
        "1\r\na\r\n1;x\r\nb\r\n1\r\nc\r\n0\r\n\r\n", "2\r\n\r\n\r\n1\r\n\n\r\n0\r\n\r\n", "1\r\na\r\n1\r\nb\n",
        "1\r\na\r\n1\nb\r\n", "1\r\na\r\n0\r\n\r\n1\r\nb\r\n", "1\r\na\r\ng\r\n", "1\r\na\r\n\r\nb", "1\r\na\r\n3\r\nb",
        "1\r\na\r\n1 \r\nb\r\n0\r\n\r\n", "1\r\na\r\n8000000000000000\r\n", "1\r\na\r\n000\r\n\r\n",
    ])
    func `the body and its end are the same, however it is split`(_ text: String) {
        let bytes = Array((Self.head + text).utf8)
        let expected = Self.outcome([bytes[...]], room: nil).outcome
        for split in everySplit(of: bytes) {
            for room in [0, 1, 3, 64] {
                #expect(Self.outcome(split, room: room).outcome == expected, "split as \(split.map(\.count))")
            }
        }
    }

    @Test
    func `many short chunks are few events`() {
        let text = Self.head + String(repeating: "1\r\nx\r\n", count: 1000) + "0\r\n\r\n"
        let (outcome, eventCount) = Self.outcome([Array(text.utf8)[...]], room: 4096)
        #expect(outcome.body.count == 1000)
        #expect(outcome.isComplete)
        #expect(eventCount == 3)
    }

    @Test
    func `long chunks are left as they are`() {
        let data = String(repeating: "x", count: ResponseDecoder.maximumShortChunkByteCount + 1)
        let text = Self.head + "1\r\na\r\n1000\r\n\(data)\r\n0\r\n\r\n"
        let (outcome, eventCount) = Self.outcome([Array(text.utf8)[...]], room: 1 << 20)
        #expect(outcome.body.count == data.utf8.count + 1)
        #expect(eventCount == 4)
    }

    @Test
    func `gathered chunks count in the excess of framing`() {
        var limits = HTTP1Limits()
        limits.maximumExcessChunkFramingByteCount = 100
        let long = "1;\(String(repeating: "x", count: 80))\r\n!\r\n"
        let short = String(repeating: "1\r\n!\r\n", count: 8)
        for text in [long + short + long + short + "0\r\n\r\n", long + long + short] {
            let bytes = Array((Self.head + text).utf8)
            let expected = Self.outcome([bytes[...]], room: nil, limits: limits).outcome
            #expect(Self.outcome([bytes[...]], room: 64, limits: limits).outcome == expected)
        }
    }
}
