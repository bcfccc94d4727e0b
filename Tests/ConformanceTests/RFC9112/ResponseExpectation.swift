// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import TernHTTP1
import TestSupport
import Testing

/// The expected result for the bytes of a vector, and the request that they answer.
struct ResponseExpectation: Sendable {
    var method = HTTPRequest.Method.get
    var allowsUpgrade = false
    var limits = HTTP1Limits()
    /// The expected lines of ``ResponseTranscript``, one for each event.
    var lines: [String]
    var violation: HTTP1Violation?
    /// The expected fields of the last head; `nil` if the vector does not test fields.
    var fields: [String]?

    static func decodes(
        _ lines: String...,
        to method: HTTPRequest.Method = .get,
        allowsUpgrade: Bool = false,
        limits: HTTP1Limits = .init(),
        fields: [String]? = nil
    ) -> ResponseExpectation {
        .init(method: method, allowsUpgrade: allowsUpgrade, limits: limits, lines: lines, fields: fields)
    }

    static func breaks(
        _ violation: HTTP1Violation,
        after lines: String...,
        to method: HTTPRequest.Method = .get,
        allowsUpgrade: Bool = false,
        limits: HTTP1Limits = .init()
    ) -> ResponseExpectation {
        .init(method: method, allowsUpgrade: allowsUpgrade, limits: limits, lines: lines, violation: violation)
    }
}

/// The result of a decoder: a line for each event, with body parts joined, and the end.
struct ResponseTranscript: Equatable {
    var lines: [String] = []
    var heads: [ResponseHead] = []
    var violation: HTTP1Violation?
    var isReusable = false

    /// Passes `pieces` to a decoder one after the other, like a driver, and then the end of the connection.
    init(of pieces: [ArraySlice<UInt8>], as expectation: ResponseExpectation) {
        var decoder = ResponseDecoder(
            method: expectation.method,
            allowsUpgrade: expectation.allowsUpgrade,
            limits: expectation.limits
        )
        var (buffer, body): ([UInt8], [UInt8]) = ([], [])
        do throws(HTTP1Violation) {
            for piece in pieces {
                buffer += piece
                while true {
                    let step = try decoder.next(ContiguousArray(buffer).span.bytes)
                    if case .body(let range)? = step.event { body += buffer[range] }
                    #expect(decoder.expectedByteCount >= 1)
                    buffer.removeFirst(step.consumedByteCount)
                    guard let event = step.event else { break }
                    self.note(event, &body)
                }
            }
            if let event = try decoder.finish() { self.note(event, &body) }
        } catch {
            self.noteBody(&body)
            self.violation = error
            #expect(throws: error) { try decoder.next(ContiguousArray(buffer).span.bytes) }
            #expect(throws: error) { try decoder.finish() }
        }
        if decoder.isComplete, !buffer.isEmpty { self.lines.append("rest \(buffer.count)") }
        self.isReusable = decoder.isReusable
    }

    private mutating func note(_ event: ResponseDecoder.Event, _ body: inout [UInt8]) {
        switch event {
        case .body: break
        case .informational(let head):
            self.lines.append("interim \(head.statusCode)")
            self.heads.append(head)
        case .head(let head):
            let reason = head.reasonPhrase.isEmpty ? "" : " \(head.reasonPhrase)"
            self.lines.append("head \(head.statusCode)\(reason), \(head.bodyLength)")
            self.heads.append(head)
        case .end(let trailers):
            self.noteBody(&body)
            let fields = trailers.map { $0.makeHTTPFields().map { " \($0.name): \($0.value)" }.joined() }
            self.lines.append("end\(fields ?? "")")
        }
    }

    private mutating func noteBody(_ body: inout [UInt8]) {
        if !body.isEmpty { self.lines.append("body \(String(decoding: body, as: UTF8.self))") }
        body = []
    }
}

extension Vector<ResponseExpectation> {
    /// Checks the expectation for every way of splitting the bytes.
    func check(sourceLocation: SourceLocation = #_sourceLocation) {
        let whole = ResponseTranscript(of: [self.bytes[...]], as: self.expected)
        if let fields = self.expected.fields {
            let found = whole.heads.last?.fields.makeHTTPFields().map { "\($0.name): \($0.value)" }
            #expect(found == fields, sourceLocation: sourceLocation)
        }
        for split in everySplit(of: self.bytes) {
            let transcript = ResponseTranscript(of: split, as: self.expected)
            #expect(
                transcript.lines == self.expected.lines,
                "split as \(split.map(\.count))",
                sourceLocation: sourceLocation
            )
            #expect(transcript.violation == self.expected.violation, sourceLocation: sourceLocation)
            #expect(transcript == whole, sourceLocation: sourceLocation)
        }
    }
}
