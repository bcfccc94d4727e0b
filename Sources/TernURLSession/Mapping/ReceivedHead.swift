// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernTransport
import TernURLLoading

/// The head of a final response, as `URLSession` reports it.
///
/// `URLSession` hides the reason phrase, the order of the fields, and the borders between fields with the same name, and has
/// decoded the content codings.
struct ReceivedHead: Hashable, Sendable {
    /// The codings that every `URLSession` decodes.
    private static let knownCodings: Set<String> = ["gzip", "x-gzip", "deflate", "br", "identity"]

    let statusCode: Int
    /// The fields, which fit the body as `URLSession` delivers it.
    let fields: HTTPFields
    let mayHaveContent: Bool
    /// The number of bytes that `URLSession` must deliver for the body to be complete; `nil` if it is unknown.
    let bodyLength: Int64?

    init(
        statusCode: Int,
        received: [(name: String, value: String)],
        method: HTTPRequest.Method,
        isEveryCodingDecoded: Bool
    ) {
        self.statusCode = statusCode
        let fields = Self.fields(received)
        // RFC 9110 §6.4.1: "Responses to the HEAD request method … never include content", and "All 1xx
        // (Informational), 204 (No Content), and 304 (Not Modified) responses do not include content".
        self.mayHaveContent = method != .head && statusCode >= 200 && statusCode != 204 && statusCode != 304
        guard self.mayHaveContent else {
            self.fields = fields
            self.bodyLength = nil
            return
        }
        let isDecoded = Self.isDecoded(fields, isEveryCodingDecoded)
        self.fields = isDecoded ? Self.decoded(fields) : fields
        // RFC 9112 §6.3: "the Transfer-Encoding overrides the Content-Length".
        self.bodyLength =
            fields.contains(.transferEncoding) || isDecoded ? nil : fields[.contentLength].flatMap { Int64($0) }
    }

    /// Returns the fields in the order of their names, because `HTTPURLResponse` has them in a dictionary.
    private static func fields(_ received: [(name: String, value: String)]) -> HTTPFields {
        var fields = HTTPFields()
        for (text, value) in received.sorted(by: { $0.name.lowercased() < $1.name.lowercased() }) {
            guard let name = HTTPField.Name(text) else { continue }
            let values = name == .setCookie ? SetCookieValues.separated(value) : [value]
            for value in values { fields.append(HTTPField(name: name, value: value)) }
        }
        return fields
    }

    private static func isDecoded(_ fields: HTTPFields, _ isEveryCodingDecoded: Bool) -> Bool {
        let codings = fields[values: .contentEncoding]
            .flatMap { $0.split(separator: ",") }
            .map { $0.trimmingCharacters(in: .whitespaces).lowercased() }
            .filter { $0 != "identity" && !$0.isEmpty }
        guard !codings.isEmpty else { return false }
        return isEveryCodingDecoded || codings.allSatisfy { Self.knownCodings.contains($0) }
    }

    /// Returns the fields without those that describe the coded content.
    private static func decoded(_ fields: HTTPFields) -> HTTPFields {
        Response(url: URL(filePath: "/"), fields: fields).decoded(leaving: []).fields
    }
}

/// Separates the values of several `Set-Cookie` fields that `URLSession` has joined with commas.
///
/// `Expires` contains a comma (RFC 6265 §3), but only a comma that begins another cookie is followed by a name and `=`.
enum SetCookieValues {
    /// Returns the separate values in order, without white space around them.
    static func separated(_ joined: String) -> [String] {
        var values: [Substring] = []
        var start = joined.startIndex
        var position = joined.startIndex
        while let comma = joined[position...].firstIndex(of: ",") {
            let next = joined.index(after: comma)
            let rest = joined[next...].drop { $0 == " " || $0 == "\t" }
            if Self.beginsCookie(rest) {
                values.append(joined[start..<comma])
                start = rest.startIndex
            }
            position = next
        }
        values.append(joined[start...])
        return values.map { $0.trimmingCharacters(in: .whitespaces) }
    }

    private static func beginsCookie(_ text: Substring) -> Bool {
        guard let end = text.firstIndex(where: { "=;,\" \t".contains($0) }), text[end] == "=" else { return false }
        return end != text.startIndex
    }
}
