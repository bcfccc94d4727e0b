// SPDX-License-Identifier: Apache-2.0

import TernWebSocketCore
import TestSupport
import Testing

/// The expected result for the bytes of a vector, and the decoder's settings.
struct MessageExpectation: Sendable {
    var deflate: PerMessageDeflate.Agreement?
    var limits = WebSocketDecoder.Limits()
    /// The expected lines of ``MessageTranscript``, one for each event.
    var lines: [String]
    var violation: WebSocketViolation?

    static func decodes(
        _ lines: String...,
        deflate: PerMessageDeflate.Agreement? = nil,
        limits: WebSocketDecoder.Limits = .init()
    ) -> MessageExpectation {
        .init(deflate: deflate, limits: limits, lines: lines)
    }

    static func breaks(
        _ violation: WebSocketViolation,
        after lines: String...,
        deflate: PerMessageDeflate.Agreement? = nil,
        limits: WebSocketDecoder.Limits = .init()
    ) -> MessageExpectation {
        .init(deflate: deflate, limits: limits, lines: lines, violation: violation)
    }
}

/// The result of a decoder: a line for each message and control frame, and the end.
struct MessageTranscript: Equatable {
    var lines: [String] = []
    var violation: WebSocketViolation?

    private var message: [UInt8] = []

    /// Passes `pieces` to a decoder one after the other, like a driver, with limited room for inflated bytes.
    init(of pieces: [ArraySlice<UInt8>], as expectation: MessageExpectation, outputByteCount: Int = 4096) {
        var decoder = WebSocketDecoder(deflate: expectation.deflate, limits: expectation.limits)
        var (buffer, room): ([UInt8], [UInt8]) = ([], Array(repeating: 0, count: outputByteCount))
        do throws(WebSocketViolation) {
            for piece in pieces {
                buffer += piece
                while true {
                    let step = try decoder.step(buffer, into: &room)
                    if let event = step.event { self.note(event, buffer, room) }
                    #expect(decoder.expectedByteCount >= 1)
                    buffer.removeFirst(step.consumedByteCount)
                    if step.event == nil, !step.needsOutput { break }
                }
            }
        } catch {
            self.violation = error
            self.message = []  // the decoded part of a broken message depends on the pieces
            #expect(throws: error) { _ = try decoder.step([], into: &room) }
        }
    }

    private mutating func note(_ event: WebSocketDecoder.Event, _ input: [UInt8], _ output: [UInt8]) {
        switch event {
        case .message(let kind, let range):
            #expect(self.message.isEmpty, "a whole message within another")
            self.lines.append(Self.line(kind, Array(input[range])))
        case .part(let kind, let range, let isFinal):
            #expect(isFinal || !range.isEmpty, "a part that says nothing")
            self.add(kind, input[range], isFinal)
        case .inflated(let kind, let byteCount, let isFinal):
            #expect(isFinal || byteCount > 0, "a part that says nothing")
            self.add(kind, output[..<byteCount], isFinal)
        case .ping(let range): self.lines.append("ping \(String(decoding: input[range], as: UTF8.self))")
        case .pong(let range): self.lines.append("pong \(String(decoding: input[range], as: UTF8.self))")
        case .close(let code, let reason): self.lines.append("close \(code.map { "\($0)" } ?? "-") \(reason)")
        }
    }

    private mutating func add(_ kind: MessageKind, _ bytes: ArraySlice<UInt8>, _ isFinal: Bool) {
        self.message += bytes
        guard isFinal else { return }
        self.lines.append(Self.line(kind, self.message))
        self.message = []
    }

    private static func line(_ kind: MessageKind, _ bytes: [UInt8]) -> String {
        switch kind {
        case .text: "text \(String(decoding: bytes, as: UTF8.self))"
        case .binary: "binary \(bytes.count > 24 ? "of \(bytes.count)" : "\(bytes)")"
        }
    }
}

extension WebSocketDecoder {
    /// Performs one step, with the whole array as room for inflated bytes.
    mutating func step(_ input: [UInt8], into room: inout [UInt8]) throws(WebSocketViolation) -> Step {
        let result = room.withUnsafeMutableBytes { buffer -> Result<Step, WebSocketViolation> in
            var output = OutputRawSpan(buffer: buffer, initializedCount: 0)
            do throws(WebSocketViolation) {
                let step = try self.next(ContiguousArray(input).span.bytes, inflatingInto: &output)
                if case .inflated(_, let byteCount, _)? = step.event { #expect(output.byteCount == byteCount) }
                return .success(step)
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }
}

extension Vector<MessageExpectation> {
    /// Checks the expectation for every way of splitting the bytes, and for small and large room for inflated bytes.
    func check(sourceLocation: SourceLocation = #_sourceLocation) {
        let rooms = self.expected.deflate == nil ? [0] : [1, 3, 4096]
        for split in everySplit(of: self.bytes) {
            for room in rooms {
                let transcript = MessageTranscript(of: split, as: self.expected, outputByteCount: room)
                #expect(
                    transcript.lines == self.expected.lines,
                    "split as \(split.map(\.count)), room for \(room)",
                    sourceLocation: sourceLocation
                )
                #expect(
                    transcript.violation == self.expected.violation,
                    "split as \(split.map(\.count)), room for \(room)",
                    sourceLocation: sourceLocation
                )
            }
        }
    }
}
