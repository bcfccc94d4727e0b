// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import TernHTTP1

/// Decodes the same bytes at once and in pieces, and traps if the results differ.
///
/// The first byte chooses the request, the second the pieces. The rest are the server's bytes.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzResponseDecoder(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    guard count >= 2 else { return 0 }
    let bytes = Array(UnsafeBufferPointer(start: start + 2, count: count - 2))
    let options = Options(start[0])
    let whole = Outcome(of: bytes, options, pieces: Pieces(seed: 0))
    let split = Outcome(of: bytes, options, pieces: Pieces(seed: start[1]))
    precondition(whole == split, "a split changed the answer")
    for room in [3, 4096] {
        let gathered = Outcome(of: bytes, options, pieces: Pieces(seed: start[1]), gatheringInto: room)
        precondition(whole == gathered, "gathering changed the answer")
    }
    whole.readEverything()
    return 0
}

/// The settings of the decoder.
struct Options {
    var method: HTTPRequest.Method
    var allowsUpgrade: Bool
    var limits = HTTP1Limits()

    init(_ byte: UInt8) {
        self.method = [.get, .head, .connect, .post][Int(byte & 3)]
        self.allowsUpgrade = byte & 4 != 0
        guard byte & 8 != 0 else { return }
        self.limits.maximumHeadByteCount = 96
        self.limits.maximumFieldCount = 3
        self.limits.maximumTrailerByteCount = 24
        self.limits.maximumChunkLineByteCount = 12
        self.limits.maximumExcessChunkFramingByteCount = 8
        self.limits.maximumInformationalCount = 1
    }
}

/// The result of decoding, with the parts of bodies joined.
struct Outcome: Equatable {
    var heads: [ResponseHead] = []
    var body: [UInt8] = []
    var end: FieldSection??
    var violation: HTTP1Violation?
    var isReusable = false
    /// The number of unread bytes after the end of the response; `nil` after a violation.
    var restByteCount: Int?

    /// Decodes the bytes.
    ///
    /// If `room` is not `nil`, the decoder gathers short chunks up to this number of bytes.
    init(of bytes: [UInt8], _ options: Options, pieces: Pieces, gatheringInto room: Int? = nil) {
        var decoder = ResponseDecoder(
            method: options.method,
            allowsUpgrade: options.allowsUpgrade,
            limits: options.limits
        )
        var (pieces, consumed, received) = (pieces, 0, 0)
        do throws(HTTP1Violation) {
            repeat {
                received += min(pieces.next(), bytes.count - received)
                while try self.take(&decoder, bytes, &consumed, received) {
                    if let room { self.gather(&decoder, bytes, &consumed, received, room) }
                }
            } while received < bytes.count && !decoder.isComplete
            if let event = try decoder.finish() { self.note(event) }
            precondition(decoder.isComplete, "finished, but not complete")
            self.restByteCount = bytes.count - consumed
        } catch {
            self.violation = error
            Self.expectFailure(&decoder, error)
        }
        self.isReusable = decoder.isReusable
        precondition(self.violation == nil || !self.isReusable, "broken, but reusable")
        let isCoded = self.heads.contains { $0.hasUnsupportedTransferCoding || !$0.transferCodings.isEmpty }
        precondition(!isCoded || !self.isReusable, "coded, but reusable")
    }

    /// Takes one event from the decoder, and returns whether there was an event.
    private mutating func take(
        _ decoder: inout ResponseDecoder,
        _ bytes: [UInt8],
        _ consumed: inout Int,
        _ received: Int
    ) throws(HTTP1Violation) -> Bool {
        // The input is a separate copy, so that the sanitizer detects a read past the end of the received bytes.
        let input = Array(bytes[consumed..<received])
        let wasComplete = decoder.isComplete
        let step = try decoder.next(input.span.bytes)
        precondition(0...input.count ~= step.consumedByteCount, "consumed more than there was")
        precondition(decoder.expectedByteCount >= 1, "expects nothing")
        precondition(!wasComplete || (step.consumedByteCount == 0 && step.event == nil), "went on after the end")
        consumed += step.consumedByteCount
        guard let event = step.event else { return false }
        if case .body(let range) = event {
            precondition(!range.isEmpty && range.lowerBound >= 0, "an empty body event")
            precondition(range.upperBound <= step.consumedByteCount, "a body that was not consumed")
            self.body += input[range]
        }
        self.note(event)
        return true
    }

    /// Takes the available short chunks.
    private mutating func gather(
        _ decoder: inout ResponseDecoder,
        _ bytes: [UInt8],
        _ consumed: inout Int,
        _ received: Int,
        _ room: Int
    ) {
        let input = Array(bytes[consumed..<received])
        let canGather = decoder.canGather(input.span.bytes)
        var output = [UInt8](repeating: 0, count: room)
        let (taken, written) = output.withUnsafeMutableBytes { output in
            var span = OutputRawSpan(buffer: output, initializedCount: 0)
            let taken = decoder.gather(input.span.bytes, into: &span)
            return (taken, span.byteCount)
        }
        precondition(0...input.count ~= taken && written <= taken, "gathered more than there was")
        precondition(canGather || taken == 0, "gathered what could not be")
        consumed += taken
        self.body += output[..<written]
    }

    private mutating func note(_ event: ResponseDecoder.Event) {
        switch event {
        case .informational(let head), .head(let head): self.heads.append(head)
        case .body: break
        case .end(let trailers):
            precondition(self.end == nil, "a second end")
            self.end = .some(trailers)
        }
    }

    private static func expectFailure(_ decoder: inout ResponseDecoder, _ violation: HTTP1Violation) {
        do throws(HTTP1Violation) {
            _ = try decoder.next([0x30].span.bytes)
            preconditionFailure("went on after a violation")
        } catch {
            precondition(error == violation, "another violation the second time")
        }
    }

    /// Reads every property of the decoded head.
    func readEverything() {
        for head in self.heads {
            Self.readCodings(of: head)
            let response = head.makeHTTPResponse()
            precondition(response.headerFields.count == head.fields.count, "a field was lost")
            precondition(response.status.code == head.statusCode)
            precondition(response.headerFields.allSatisfy { !$0.value.utf8.contains { [0, 10, 13].contains($0) } })
            Self.read(head.fields)
        }
        if case .some(.some(let trailers)) = self.end { Self.read(trailers) }
    }

    private static func readCodings(of head: ResponseHead) {
        var (codings, count) = (head.transferCodings, 0)
        precondition(codings.isEmpty || !head.hasUnsupportedTransferCoding, "codings that are not supported")
        precondition(codings.isEmpty || head.bodyLength == .chunked || head.bodyLength == .untilClose, "no body")
        while codings.popLast() != nil { count += 1 }
        precondition(count == head.transferCodings.count && codings.isEmpty, "a coding was lost")
    }

    private static func read(_ section: FieldSection) {
        let fields = section.makeHTTPFields()
        for field in fields {
            precondition(section[field.name] == fields[values: field.name].first, "a field that cannot be found")
        }
    }
}
