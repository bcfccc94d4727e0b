// SPDX-License-Identifier: Apache-2.0
import HTTPTypes

extension Response {
    /// The fields that describe the content with its codings (RFC 9110 §8.6, RFC 9530 §2, §3), and thus not a decoded body.
    private static let fieldsOfCodedContent = ["Content-Length", "Content-Digest", "Repr-Digest", "Content-MD5"]
        .compactMap { HTTPField.Name($0) }

    /// Returns the fields for a body that still has `codings`, which are in the order in which the server applied them.
    static func fields(_ received: HTTPFields, afterDecodingTo codings: [String]) -> HTTPFields {
        var fields = received
        for name in self.fieldsOfCodedContent { fields[name] = nil }
        // "If one or more encodings have been applied to a representation, the sender that applied the encodings MUST
        // generate a Content-Encoding header field that lists the content codings in the order in which they were
        // applied" (RFC 9110 §8.4).
        fields[.contentEncoding] = codings.isEmpty ? nil : codings.joined(separator: ", ")
        return fields
    }

    /// Returns the fields without the decoded transfer codings, but with `chunked`, which programs show, and none decodes again.
    static func fieldsAfterDecodingTransfer(_ received: HTTPFields) -> HTTPFields {
        var fields = received
        let isChunked = received[values: .transferEncoding].contains { value in
            value.split(separator: ",").contains { $0.filter { $0 != " " && $0 != "\t" }.lowercased() == "chunked" }
        }
        fields[.transferEncoding] = isChunked ? "chunked" : nil
        return fields
    }
}
