// SPDX-License-Identifier: Apache-2.0
import HTTPTypes

extension Response {
    /// The fields that describe the content with its codings, and thus not a decoded body.
    ///
    /// `Content-Length` is the length of the content as sent (RFC 9110 §8.6). A `Content-Digest` comes from "a hashing
    /// algorithm applied to the actual message content", and a `Repr-Digest` from one "applied to the entire selected
    /// representation data", which has the codings (RFC 9530 §2, §3).
    private static let fieldsOfCodedContent = ["Content-Length", "Content-Digest", "Repr-Digest", "Content-MD5"]
        .compactMap { HTTPField.Name($0) }

    /// Returns the fields that fit a decoded body.
    ///
    /// - Parameters:
    ///   - received: The fields as the server sent them.
    ///   - codings: The codings that the body still has, in the order in which they were applied.
    /// - Returns: The changed fields.
    static func fields(_ received: HTTPFields, afterDecodingTo codings: [String]) -> HTTPFields {
        var fields = received
        for name in self.fieldsOfCodedContent { fields[name] = nil }
        // "If one or more encodings have been applied to a representation, the sender that applied the encodings MUST
        // generate a Content-Encoding header field that lists the content codings in the order in which they were
        // applied" (RFC 9110 §8.4).
        fields[.contentEncoding] = codings.isEmpty ? nil : codings.joined(separator: ", ")
        return fields
    }

    /// Returns the fields without the transfer codings that the client has decoded.
    ///
    /// `chunked` remains, as in all other responses: programs show it, and no recipient decodes it again.
    ///
    /// - Parameter received: The fields as the server sent them.
    /// - Returns: The changed fields.
    static func fieldsAfterDecodingTransfer(_ received: HTTPFields) -> HTTPFields {
        var fields = received
        let isChunked = received[values: .transferEncoding].contains { value in
            value.split(separator: ",").contains { $0.filter { $0 != " " && $0 != "\t" }.lowercased() == "chunked" }
        }
        fields[.transferEncoding] = isChunked ? "chunked" : nil
        return fields
    }
}
