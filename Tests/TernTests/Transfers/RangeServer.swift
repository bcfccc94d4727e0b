// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernTesting

/// A server with one resource, which answers requests for ranges as RFC 9110 §14 says.
struct RangeServer: Sendable {
    /// The bytes of the resource.
    var content: [UInt8]
    /// The fields of each response that describe the resource, such as its validators.
    var fields: HTTPFields
    /// Whether a response with the whole resource has a `Content-Length`.
    ///
    /// If not, the content is one chunk, and the last chunk follows.
    var announcesLength = true

    /// Creates a server.
    ///
    /// - Parameters:
    ///   - content: The bytes of the resource. Defaults to 100 bytes.
    ///   - fields: The fields that describe the resource. Defaults to a strong entity tag.
    init(_ content: [UInt8] = Self.content(100), _ fields: HTTPFields = [.eTag: "\"v1\""]) {
        (self.content, self.fields) = (content, fields)
    }

    /// Returns bytes that do not repeat, so that each byte at a wrong position is found.
    ///
    /// - Parameters:
    ///   - byteCount: The number of bytes.
    ///   - version: The version of the content; each version has other bytes. Defaults to 1.
    /// - Returns: The bytes.
    static func content(_ byteCount: Int, version: Int = 1) -> [UInt8] {
        Self.content(in: 0..<byteCount, version: version)
    }

    /// Returns the bytes of a part of a content of any length.
    static func content(in range: Range<Int>, version: Int = 1) -> [UInt8] {
        range.map { UInt8(truncatingIfNeeded: ($0 &+ version &* 7919) &* 2_654_435_761 >> 11) }
    }

    /// Answers a request as the RFC says.
    func answer(_ request: ReceivedRequest) -> ScriptedResponse {
        guard let first = request.firstByte, self.isCurrent(request) else { return self.whole }
        guard first < self.content.count else { return self.unsatisfied }
        return self.part(first..<min(request.endByte ?? .max, self.content.count))
    }

    /// The response with the whole resource.
    var whole: ScriptedResponse {
        guard !self.announcesLength else { return .response(fields: self.fields, bytes: self.content) }
        return self.chunked(self.content, .ok)
    }

    /// The response to a request for bytes after the end (§15.5.17).
    var unsatisfied: ScriptedResponse {
        .response(.rangeNotSatisfiable, fields: self.fields.with(.contentRange, "bytes */\(self.content.count)"))
    }

    /// Returns the response with a part of the resource.
    func part(_ range: Range<Int>) -> ScriptedResponse {
        let fields = self.fields.with(.contentRange, self.contentRange(range))
        return .response(.partialContent, fields: fields, bytes: Array(self.content[range]))
    }

    /// Answers like ``answer(_:)``, but with the status 200 for a part, too.
    func answerWithStatusOK(_ request: ReceivedRequest) -> ScriptedResponse {
        guard let first = request.firstByte, self.isCurrent(request), first < self.content.count else {
            return self.answer(request)
        }
        let range = first..<min(request.endByte ?? .max, self.content.count)
        let fields = self.fields.with(.contentRange, self.contentRange(range))
        return .response(fields: fields, bytes: Array(self.content[range]))
    }

    /// Returns the value of `Content-Range` for a part.
    func contentRange(_ range: Range<Int>) -> String {
        "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(self.content.count)"
    }

    /// Returns a response whose bytes are one chunk.
    func chunked(_ bytes: [UInt8], _ status: HTTPResponse.Status, _ more: HTTPFields = [:]) -> ScriptedResponse {
        var response = ScriptedResponse.chunked([], status: status, fields: self.fields + more)
        let end = response.body
        response.body = Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + Array("\r\n".utf8) + end
        return response
    }

    /// "If the validator […] does not match […] the recipient MUST ignore the Range header field" (§13.1.5).
    private func isCurrent(_ request: ReceivedRequest) -> Bool {
        guard let condition = request.fields[.ifRange] else { return true }
        return condition == self.fields[.eTag] ?? self.fields[.lastModified]
    }
}

extension ReceivedRequest {
    /// The first byte of the requested range; `nil` without `Range`.
    var firstByte: Int? { self.rangeEnds?.first.flatMap { Int($0) } }

    /// The position after the last byte of the requested range; `nil` if the range has no end.
    var endByte: Int? { self.rangeEnds?.last.flatMap { Int($0) }.map { $0 + 1 } }

    private var rangeEnds: [Substring]? {
        guard let value = self.fields[.range], value.hasPrefix("bytes=") else { return nil }
        return value.dropFirst("bytes=".count).split(separator: "-", omittingEmptySubsequences: false)
    }
}

extension ScriptedResponse {
    /// Returns the first bytes of the response; then the connection ends.
    func cut(afterByteCount byteCount: Int, _ ending: Ending = .close) -> ScriptedResponse {
        ScriptedResponse(head: Array((self.head + self.body).prefix(byteCount)), ending: ending)
    }

    /// Returns the head and the first bytes of the body; then the connection ends.
    func cut(afterBodyByteCount byteCount: Int, _ ending: Ending = .close) -> ScriptedResponse {
        ScriptedResponse(head: self.head, body: Array(self.body.prefix(byteCount)), ending: ending)
    }
}

extension HTTPFields {
    /// Returns the fields with one more, which replaces others with its name.
    func with(_ name: HTTPField.Name, _ value: String) -> HTTPFields { self + [name: value] }

    /// Returns the fields with others, which replace those with the same names.
    static func + (fields: HTTPFields, others: HTTPFields) -> HTTPFields {
        var fields = fields
        for field in others { fields[field.name] = field.value }
        return fields
    }
}
