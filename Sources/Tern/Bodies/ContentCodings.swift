// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernCompression
@_spi(CrossModuleInlining) import TernFields
import TernTransport

struct ContentCodings: Sendable {
    let codecs: [ContentCodec]

    /// The value of `Accept-Encoding`, with the app's codings first, which matters to servers without another preference.
    var accepted: String {
        (self.codecs.map(\.token) + ContentCoding.allCases.map(\.token)).joined(separator: ", ")
    }

    /// Returns the codings of a response in lower case, in the order in which they were applied.
    static func names(of response: Response) -> [String] {
        let names = response.receivedFields[values: .contentEncoding].flatMap { value in
            value.split { $0 == "," || $0 == " " || $0 == "\t" }
        }
        return names.map { $0.lowercased() }.filter { $0 != "identity" }
    }

    func codec(_ name: String) -> ContentCodec? { self.codecs.first { $0.token == name } }

    /// Returns a response from the cache, whose body was decoded before it was stored, with fields as received (RFC 9111 §3.1).
    func decoded(_ response: Response) -> Response {
        guard response.noticedFields.contains(.contentEncoding) else { return response }
        let names = Self.names(of: response)
        let remaining = names.reversed().drop { ContentCoding($0) != nil || self.codec($0) != nil }
        return remaining.count == names.count ? response : response.decoded(leaving: remaining.reversed())
    }
}
