// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernCompression
import TernErrors
import TernRequests
import TernTransport

/// Undoes the content codings that the client asked for: `gzip` and `deflate` (RFC 9110 §8.4).
///
/// A request that says itself what it accepts, or asks for a range, gets what the server sends as it is.
struct ContentDecoding: Stage {
    /// What the client accepts unless a request says otherwise.
    static let acceptedCodings = ContentCoding.allCases.map(\.token).joined(separator: ", ")

    /// How many codings may be nested; who nests more wants to exhaust the client. (curl allows five.)
    private static let maximumCodingCount = 3

    let limits: InflationLimits
    /// Whether content is decoded where a request does not say.
    let isDefault: Bool

    @inline(__always)  // into its witness: one frame less on the way of every call
    func respond(to call: Call, next: Next) async throws(ClientError) -> Reply {
        var reply = try await next.respond(to: call)
        guard reply.response.noticedFields.contains(.contentEncoding),
            call.request.options.decodesContent ?? self.isDefault,
            Self.hasWholeContent(reply.response, call.request.method)
        else { return reply }
        let codings = Self.codings(of: reply.response)
        guard codings.count <= Self.maximumCodingCount else {
            throw .protocolViolation(
                section: "RFC 9110 §8.4",
                reason: "The content has more than \(Self.maximumCodingCount) codings.",
                call.context(.body, response: reply.response.httpResponse)
            )
        }
        // "listed in the order in which they were applied"; what lies beneath an unknown one cannot be reached.
        for coding in codings.reversed() {
            guard let coding else { break }
            reply.body = ResponseBody(try DecodedBodySource(reply.body, coding, self.limits, call, reply.response))
        }
        return reply
    }

    /// The codings, in the order in which they were applied; `nil` stands for one that is not known.
    private static func codings(of response: Response) -> [ContentCoding?] {
        let names = response.fields[values: .contentEncoding].flatMap { value in
            value.split { $0 == "," || $0 == " " || $0 == "\t" }
        }
        return names.filter { $0.lowercased() != "identity" }.map { ContentCoding($0) }
    }

    /// Whether the answer has content that begins at its beginning.
    private static func hasWholeContent(_ response: Response, _ method: HTTPRequest.Method) -> Bool {
        method != .head && response.statusCode != 206 && response.statusCode != 304 && response.statusCode != 101
    }
}
