// SPDX-License-Identifier: Apache-2.0
import TernStreams

/// Decodes the same bytes at once and in pieces, and traps if the events, the lines or the violations differ.
///
/// The first byte chooses the settings of the decoder, the second the pieces. The rest are the server's bytes.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzEventDecoder(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    guard count >= 2 else { return 0 }
    let bytes = Array(UnsafeBufferPointer(start: start + 2, count: count - 2))
    let options = Options(start[0])
    let whole = Outcome(of: bytes, options, pieces: Pieces(seed: 0))
    let split = Outcome(of: bytes, options, pieces: Pieces(seed: start[1]))
    precondition(whole == split, "a split changed the events")
    whole.check(bytes, options)
    let lines = Lines(of: bytes, options, pieces: Pieces(seed: 0))
    precondition(lines == Lines(of: bytes, options, pieces: Pieces(seed: start[1])), "a split changed the lines")
    return 0
}

/// The settings of the decoders.
struct Options {
    var deliversComments: Bool
    var lastEventID: String
    var limit: Int

    init(_ byte: UInt8) {
        self.deliversComments = byte & 1 != 0
        self.lastEventID = byte & 2 != 0 ? "before" : ""
        self.limit = byte & 4 != 0 ? 24 : 4096
    }
}

/// The result of decoding events.
struct Outcome: Equatable {
    var events: [ServerSentEvent] = []
    var lastEventID = ""
    var reconnectionTime: Duration?
    var isAtBoundary = false
    var endsWithinLine = false
    /// The event that the end of the input ends.
    var last: ServerSentEvent?
    var violation: EventViolation?

    init(of bytes: [UInt8], _ options: Options, pieces: Pieces) {
        var decoder = EventDecoder(
            maximumEventByteCount: options.limit,
            lastEventID: options.lastEventID,
            deliversComments: options.deliversComments
        )
        var (pieces, received) = (pieces, 0)
        do throws(EventViolation) {
            while received < bytes.count {
                let piece = Array(bytes[received..<received + min(pieces.next(), bytes.count - received)])
                received += piece.count
                var offset = 0
                while let event = try decoder.next(in: piece.span.bytes, from: &offset) { self.events.append(event) }
                precondition(offset == piece.count && decoder.byteCount == received, "bytes are left")
            }
        } catch {
            self.violation = error
        }
        self.lastEventID = decoder.lastEventID
        self.reconnectionTime = decoder.reconnectionTime
        self.isAtBoundary = decoder.isAtBoundary
        self.endsWithinLine = decoder.endsWithinLine
        self.last = decoder.endEvent()
        precondition(decoder.endEvent() == nil, "two ends of one event")
    }

    /// Checks the invariants of events.
    func check(_ bytes: [UInt8], _ options: Options) {
        precondition(self.reconnectionTime.map { $0 >= .zero } ?? true, "a negative time")
        precondition(!self.isAtBoundary || self.violation == nil, "a boundary after a violation")
        precondition(!self.lastEventID.utf8.contains(0), "an ID with NUL")
        precondition(self.last == nil || self.violation == nil, "an event after a violation")
        precondition(self.last == nil || !self.isAtBoundary, "an event without an incomplete one")
        precondition(self.last?.comment == nil, "a comment at the end")
        for event in self.events + [self.last].compactMap(\.self) {
            precondition(event.event.isEmpty == (event.comment != nil), "a comment with a type")
            precondition(event.comment == nil || options.deliversComments && event.data.isEmpty, "a comment with data")
            precondition(!event.id.utf8.contains(0), "an ID with NUL")
            // U+FFFD is up to three times as long as the byte that it replaces.
            precondition(event.data.utf8.count <= 3 * options.limit, "an event longer than the limit")
        }
    }
}

/// The result of splitting bytes into lines.
struct Lines: Equatable {
    var lines: [String] = []
    var violation: LineViolation?

    init(of bytes: [UInt8], _ options: Options, pieces: Pieces) {
        var decoder = LineDecoder(maximumLineByteCount: options.limit)
        var (pieces, received) = (pieces, 0)
        do throws(LineViolation) {
            while received < bytes.count {
                let piece = Array(bytes[received..<received + min(pieces.next(), bytes.count - received)])
                received += piece.count
                var offset = 0
                while let line = try decoder.next(in: piece.span.bytes, from: &offset) { self.lines.append(line) }
            }
        } catch {
            self.violation = error
        }
        if let line = decoder.finish() { self.lines.append(line) }
    }
}
