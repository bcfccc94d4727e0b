// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernTransfers
import TestSupport

/// A server whose resource changes, and which sometimes answers against the rules.
struct SimulatedServer {
    /// A response: its head, the bytes of its body, and whether the connection breaks at their end.
    struct Answer {
        var status: Int
        var fields: HTTPFields
        var body: [UInt8] = []
        var isCut = false
    }

    /// The lengths of all versions so far; the last is the present one.
    private(set) var lengths: [Int64]

    init(using generator: inout SeededGenerator) { self.lengths = [Int64.random(in: 0...300, using: &generator)] }

    private var version: Int { self.lengths.count - 1 }

    /// Each version has another byte at each position, and each position another byte.
    private static func byte(at position: Int64, of version: Int) -> UInt8 {
        UInt8(truncatingIfNeeded: position &* 13 &+ Int64(version) &* 101 &+ 7)
    }

    func byte(at position: Int64, of tag: String) -> UInt8? {
        guard let version = Int(tag.dropFirst(2).dropLast()), self.lengths.indices.contains(version),
            position < self.lengths[version]
        else { return nil }
        return Self.byte(at: position, of: version)
    }

    func isWholeVersion(_ content: [UInt8]) -> Bool {
        self.lengths.indices.contains { version in
            self.lengths[version] == content.count
                && content.indices.allSatisfy { content[$0] == Self.byte(at: Int64($0), of: version) }
        }
    }

    mutating func change(using generator: inout SeededGenerator) {
        let isSameLength = Bool.random(using: &generator)
        let length = isSameLength ? self.lengths[self.version] : Int64.random(in: 0...300, using: &generator)
        self.lengths.append(length)
    }

    /// Answers a request.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - isHonest: Whether the server follows the rules, and the connection does not break.
    ///   - generator: The source of its decisions.
    /// - Returns: The answer. A part of another version never has the tag of the requested one.
    func answer(_ request: PartRequest, isHonest: Bool, using generator: inout SeededGenerator) -> Answer {
        let length = self.lengths[self.version]
        var fields: HTTPFields = [.eTag: "\"v\(self.version)\"", .date: Samples.date]
        let draw = isHonest ? 0 : Int.random(in: 0..<28, using: &generator)
        if draw == 23 { return Answer(status: 503, fields: [:]) }
        if draw == 22 { return Answer(status: 404, fields: [:]) }
        if draw == 21 { fields[.eTag] = nil }  // nothing to continue with
        let isNamed = request.validator.map { $0.condition == fields[.eTag] } ?? true
        guard let first = request.first, isNamed || draw == 20, draw != 19 else {
            if Bool.random(using: &generator) { fields[.contentLength] = String(length) }
            return self.cut(Answer(status: 200, fields: fields, body: self.bytes(0..<length)), draw, &generator)
        }
        guard first < length else {
            if draw != 18 { fields[.contentRange] = "bytes */\(length)" }
            return Answer(status: 416, fields: fields)
        }
        var range = first..<min(request.end ?? length, length)
        if draw == 17 { range = range.lowerBound..<Int64.random(in: (first + 1)...range.upperBound, using: &generator) }
        if draw == 16 { range = 0..<range.upperBound }
        let body = self.bytes(range)
        let total = draw == 15 ? length + 1 : length
        fields[.contentRange] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(draw == 14 ? "*" : "\(total)")"
        switch draw {
        case 24...27: return self.successful(range, fields, body, draw, &generator)
        case 13: fields[.contentRange] = nil
        case 12: fields[.contentType] = "multipart/byteranges; boundary=a"
        case 11: fields[.contentEncoding] = "gzip"
        case 10: return self.cut(Answer(status: 206, fields: fields, body: body + [0, 0, 0]), draw, &generator)
        default: break
        }
        return self.cut(Answer(status: 206, fields: fields, body: body), draw, &generator)
    }

    /// A 200 with only the requested range.
    private func successful(
        _ range: Range<Int64>,
        _ fields: HTTPFields,
        _ body: [UInt8],
        _ draw: Int,
        _ generator: inout SeededGenerator
    ) -> Answer {
        var fields = fields
        if draw != 24 { fields[.contentLength] = String(body.count) }
        if draw == 26 { fields[.contentRange] = "bytes */\(self.lengths[self.version])" }
        if draw == 27 { fields[.contentRange] = "bytes \(range.lowerBound)-" }
        var answer = Answer(status: 200, fields: fields, body: body)
        if Bool.random(using: &generator) {
            answer.body = Array(body.prefix(Int.random(in: 0...body.count, using: &generator)))
            answer.isCut = true
        }
        return answer
    }

    private func bytes(_ range: Range<Int64>) -> [UInt8] { range.map { Self.byte(at: $0, of: self.version) } }

    private func cut(_ answer: Answer, _ draw: Int, _ generator: inout SeededGenerator) -> Answer {
        guard draw > 0, draw < 12, Bool.random(using: &generator) else { return answer }
        var answer = answer
        answer.body = Array(answer.body.prefix(Int.random(in: 0...answer.body.count, using: &generator)))
        answer.isCut = true
        return answer
    }
}
