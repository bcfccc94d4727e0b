// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernTesting
import TernTransfers

extension RangeServer {
    /// A way to answer a request for a range against the rules.
    enum Lie: CaseIterable, Sendable {
        case multipart
        case contentCoded
        case contentRangeMissing
        case contentRangeMalformed
        case otherStart
        case otherEnd
        case contentLengthDiffers
        case entityTagMissing
        case bodyTooLong
        case rangeRefused
        case wholeWithRange

        /// The rule that the client finds broken.
        var violation: RangeViolation {
            switch self {
            case .multipart: .multipart
            case .contentCoded: .contentCoded
            case .contentRangeMissing: .contentRangeMissing
            case .contentRangeMalformed: .contentRangeMalformed
            case .otherStart: .otherStart(requested: 1, received: 0)
            case .otherEnd: .otherEnd
            case .contentLengthDiffers: .contentLengthDiffers
            case .entityTagMissing: .entityTagMissing
            case .bodyTooLong: .bodyTooLong
            case .rangeRefused: .rangeRefused
            case .wholeWithRange: .wholeWithRange
            }
        }
    }

    /// Answers a request against the rules, if it has a range.
    func answer(_ request: ReceivedRequest, _ lie: Lie) -> ScriptedResponse {
        guard let first = request.firstByte, first > 0, first < self.content.count else { return self.answer(request) }
        let rest = Array(self.content[first...])
        let range = self.contentRange(first..<self.content.count)
        switch lie {
        case .multipart:
            let type = "multipart/byteranges; boundary=b"
            let body = Array("--b\r\nContent-Range: \(range)\r\n\r\n".utf8) + rest + Array("\r\n--b--\r\n".utf8)
            return self.part(body, [.contentType: type])
        case .contentCoded: return self.part(rest, [.contentRange: range, .contentEncoding: "gzip"])
        case .contentRangeMissing: return self.part(rest, [:])
        case .contentRangeMalformed: return self.part(rest, [.contentRange: "bytes \(first)-/\(self.content.count)"])
        case .otherStart: return self.part(0..<self.content.count)
        case .otherEnd: return self.part(rest + [0], [.contentRange: "bytes \(first)-\(self.content.count)/*"])
        case .contentLengthDiffers: return self.part(Array(rest.dropLast()), [.contentRange: range])
        case .entityTagMissing:
            var other = self
            other.fields[.eTag] = nil
            return other.part(first..<self.content.count)
        case .bodyTooLong: return self.chunked(rest + [0], .partialContent, [.contentRange: range])
        case .rangeRefused: return self.unsatisfied
        case .wholeWithRange:
            let fields = self.fields.with(.contentRange, "bytes */\(self.content.count)")
            return .response(fields: fields, bytes: rest)
        }
    }

    private func part(_ bytes: [UInt8], _ fields: HTTPFields) -> ScriptedResponse {
        .response(.partialContent, fields: self.fields + fields, bytes: bytes)
    }
}
