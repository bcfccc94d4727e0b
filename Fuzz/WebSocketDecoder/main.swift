// SPDX-License-Identifier: Apache-2.0

import TernWebSocketCore

/// Decodes the same bytes at once and in pieces, and traps if the messages or the violations differ.
///
/// The first byte chooses the settings of the decoder, the second the pieces. The rest are the server's bytes.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzWebSocketDecoder(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    guard count >= 2 else { return 0 }
    let bytes = Array(UnsafeBufferPointer(start: start + 2, count: count - 2))
    let options = Options(start[0])
    let whole = Outcome(of: bytes, options, room: 4096, pieces: Pieces(seed: 0))
    let split = Outcome(of: bytes, options, room: options.room, pieces: Pieces(seed: start[1]))
    precondition(!options.isDeterministic || whole == split, "a split changed the answer")
    return 0
}

/// The settings of the decoder.
struct Options {
    var deflate: PerMessageDeflate.Agreement?
    var limits = WebSocketDecoder.Limits()
    /// The maximum number of bytes to inflate at a time.
    var room: Int
    /// Whether the result does not depend on the pieces.
    ///
    /// With a smaller window, zlib may accept more input if it has more room for output.
    var isDeterministic = true

    init(_ byte: UInt8) {
        self.room = [1, 7, 300, 4096][Int(byte >> 4 & 3)]
        if byte & 1 != 0 { self.deflate = .init(serverNoContextTakeover: byte & 2 != 0) }
        if byte & 8 != 0, byte & 1 != 0 {
            self.deflate?.serverWindowBits = 9
            self.isDeterministic = false
        }
        guard byte & 4 != 0 else { return }
        self.limits.maximumMessageByteCount = 40
        self.limits.maximumFrameByteCount = 30
    }
}

/// The result of decoding: complete messages and control frames, and the end.
struct Outcome: Equatable {
    enum Item: Equatable {
        case message(MessageKind, [UInt8])
        case ping([UInt8])
        case pong([UInt8])
        case close(CloseCode?, String)
    }

    var items: [Item] = []
    var violation: WebSocketViolation?

    private var message: [UInt8] = []
    private var isWithinMessage = false
    private var isClosed = false

    init(of bytes: [UInt8], _ options: Options, room: Int, pieces: Pieces) {
        var decoder = WebSocketDecoder(deflate: options.deflate, limits: options.limits)
        var (pieces, consumed, received) = (pieces, 0, 0)
        do throws(WebSocketViolation) {
            while received < bytes.count {
                received += min(pieces.next(), bytes.count - received)
                while try self.take(&decoder, bytes[consumed..<received], &consumed, room) {}
                precondition(self.message.count <= options.limits.maximumMessageByteCount, "too much of a message")
            }
            precondition(!self.isClosed || consumed == bytes.count, "bytes left behind a Close")
            try decoder.finish()
            precondition(self.isClosed, "an end without a Close")
        } catch {
            self.violation = error
            Self.expectFailure(&decoder, error)
        }
        (self.message, self.isWithinMessage) = ([], false)
        for case .message(let kind, let bytes) in self.items {
            precondition(bytes.count <= options.limits.maximumMessageByteCount, "a message beyond the limit")
            precondition(kind == .binary || String(validating: bytes, as: UTF8.self) != nil, "a text that is none")
        }
    }

    /// Takes one step, and returns whether another step may follow.
    private mutating func take(
        _ decoder: inout WebSocketDecoder,
        _ unread: ArraySlice<UInt8>,
        _ consumed: inout Int,
        _ room: Int
    ) throws(WebSocketViolation) -> Bool {
        // The input is a separate copy, so that the sanitizer detects a read past the end of the received bytes.
        let input = Array(unread)
        let output = UnsafeMutableRawBufferPointer.allocate(byteCount: room, alignment: 1)
        defer { output.deallocate() }
        var span = OutputRawSpan(buffer: output, initializedCount: 0)
        let step = try decoder.next(input.span.bytes, inflatingInto: &span)
        let written = span.finalize(for: output)
        precondition(0...input.count ~= step.consumedByteCount, "consumed more than there was")
        precondition(decoder.expectedByteCount >= 1, "expects nothing")
        precondition(!self.isClosed || step.event == nil, "went on after a Close")
        consumed += step.consumedByteCount
        self.note(step, input, Array(output.prefix(written)))
        return step.event != nil || step.needsOutput
    }

    private mutating func note(_ step: WebSocketDecoder.Step, _ input: [UInt8], _ output: [UInt8]) {
        switch step.event {
        case .message(let kind, let range):
            precondition(!self.isWithinMessage, "a message within another")
            self.items.append(.message(kind, Array(input[range])))
            precondition(range.upperBound <= step.consumedByteCount, "a message that was not consumed")
        case .part(let kind, let range, let isFinal):
            precondition(isFinal || !range.isEmpty, "an empty part")
            precondition(range.upperBound <= step.consumedByteCount, "a part that was not consumed")
            self.add(kind, Array(input[range]), isFinal)
        case .inflated(let kind, let byteCount, let isFinal):
            precondition(isFinal || byteCount > 0, "an empty part")
            precondition(byteCount == output.count, "a wrong count")
            self.add(kind, output, isFinal)
        case .ping(let range): self.items.append(.ping(Array(input[range])))
        case .pong(let range): self.items.append(.pong(Array(input[range])))
        case .close(let code, let reason):
            precondition(code?.isValidOnWire ?? reason.isEmpty, "a bad code")
            self.isClosed = true
            self.items.append(.close(code, reason))
        case nil: precondition(output.isEmpty, "output without an event")
        }
    }

    private mutating func add(_ kind: MessageKind, _ bytes: [UInt8], _ isFinal: Bool) {
        self.message += bytes
        self.isWithinMessage = !isFinal
        guard isFinal else { return }
        self.items.append(.message(kind, self.message))
        self.message = []
    }

    private static func expectFailure(_ decoder: inout WebSocketDecoder, _ violation: WebSocketViolation) {
        var none = OutputRawSpan()
        do throws(WebSocketViolation) {
            _ = try decoder.next([0x81, 0x00].span.bytes, inflatingInto: &none)
            preconditionFailure("went on after a violation")
        } catch {
            precondition(error == violation, "another violation the second time")
        }
    }
}
