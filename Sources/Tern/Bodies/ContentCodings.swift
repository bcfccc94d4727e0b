// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernCompression
@_spi(CrossModuleInlining) import TernFields
import TernTransport

/// The content codings that a client can decode (RFC 9110 §8.4).
struct ContentCodings: Sendable {
    /// The codings that the app has added.
    let codecs: [ContentCodec]

    /// The value of `Accept-Encoding` for requests that do not set this field.
    ///
    /// The codings that the app has added come first. Servers use the order only if they have no other preference.
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

    /// Returns the app's codec for a coding; `nil` if there is none.
    func codec(_ name: String) -> ContentCodec? { self.codecs.first { $0.token == name } }

    /// Returns a response from the cache, whose body the client decoded before it stored the body.
    ///
    /// The cache stores the fields as received (RFC 9111 §3.1).
    func decoded(_ response: Response) -> Response {
        guard response.noticedFields.contains(.contentEncoding) else { return response }
        let names = Self.names(of: response)
        let remaining = names.reversed().drop { ContentCoding($0) != nil || self.codec($0) != nil }
        return remaining.count == names.count ? response : response.decoded(leaving: remaining.reversed())
    }
}
