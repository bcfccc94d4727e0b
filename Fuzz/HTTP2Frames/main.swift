// SPDX-License-Identifier: Apache-2.0

import TernHTTP2

/// Finds frames in the same bytes, at once and in pieces, and traps if the outcomes differ.
///
/// The first byte chooses the pieces; the rest is what the server sends.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzHTTP2Frames(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    guard count >= 1 else { return 0 }
    let bytes = Array(UnsafeBufferPointer(start: start + 1, count: count - 1))
    let whole = Outcome(of: bytes, pieces: Pieces(seed: 0))
    let split = Outcome(of: bytes, pieces: Pieces(seed: start[0]))
    precondition(whole == split, "a split changed the frames")
    return 0
}

/// The frames in the bytes, with the parts of their content joined.
struct Outcome: Equatable {
    enum Item: Equatable {
        case data(FrameHeader, [UInt8])
        case frame(FrameHeader, [UInt8])
        case skipped(FrameHeader)
    }

    private var items: [Item] = []
    private var violation: HTTP2Violation?
    private var content: [UInt8]?

    init(of bytes: [UInt8], pieces: Pieces) {
        var (pieces, decoder, received) = (pieces, FrameDecoder(), 0)
        do throws(HTTP2Violation) {
            while received < bytes.count {
                let count = min(pieces.next(), bytes.count - received)
                // The input is a separate copy, so that the sanitizer detects a read past its end.
                let input = Array(bytes[received..<received + count])
                received += count
                var offset = 0
                while let event = try decoder.next(input.span.bytes, &offset) {
                    precondition(offset <= input.count, "the decoder read past the end")
                    self.note(event, decoder, input)
                }
                precondition(offset == input.count, "the decoder left bytes unread")
                precondition(decoder.bufferedByteCount <= FrameDecoder.maximumPayloadByteCount, "kept too many bytes")
                precondition(decoder.missingByteCount >= 0, "the number of missing bytes is negative")
            }
        } catch {
            precondition(error.scope == .connection && !error.section.isEmpty)
            self.violation = error
        }
        self.content = nil
    }

    private mutating func note(_ event: FrameDecoder.Event, _ decoder: FrameDecoder, _ input: [UInt8]) {
        switch event {
        case .dataStart(let header):
            precondition(self.content == nil && header.type == .data, "a frame begins within another")
            self.content = []
        case .data(_, let range):
            precondition(!range.isEmpty, "a part of the content is empty")
            self.content?.append(contentsOf: input[range])
        case .dataEnd(let header, let byteCount):
            precondition(self.content?.count == byteCount, "the length of the content is wrong")
            precondition(byteCount <= header.payloadByteCount, "the content is longer than its frame")
            self.items.append(.data(header, self.content ?? []))
            self.content = nil
        case .frame(let header, let payload):
            let bytes = decoder.payload(payload, of: input)
            precondition(bytes.count == header.payloadByteCount, "a payload is not whole")
            self.items.append(.frame(header, bytes))
        case .skipped(let header): self.items.append(.skipped(header))
        }
    }
}
