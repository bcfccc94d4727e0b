// SPDX-License-Identifier: Apache-2.0

package import HTTPTypes
@_spi(CrossModuleInlining) package import TernFields

/// The head of a response: its status and fields.
///
/// A head takes a single allocation, which stores the fields as lines. Text and `HTTPFields` are created from the lines
/// when a caller asks for them.
package struct HTTP2ResponseHead: Equatable, Sendable {
    /// The status code, from 100 to 999.
    package let statusCode: Int
    /// The `content-length` in bytes, or `nil` if the response has no such field.
    ///
    /// A response to HEAD and a 304 may have the field, although they have no content.
    package let contentLength: Int64?
    /// The fields in the head on which a client acts, such as `Location` and `Set-Cookie`.
    package let noticedFields: NoticedFields
    /// The fields, without `:status`.
    package let fields: FieldSection

    /// The status as an `HTTPResponse.Status`.
    ///
    /// HTTP/2 has no reason phrase (RFC 9113 §8.3.2).
    package var status: HTTPResponse.Status { .init(code: self.statusCode) }

    init(statusCode: Int, _ lines: FieldLines) {
        self.statusCode = statusCode
        self.contentLength = lines.contentLength
        self.noticedFields = lines.noticedFields
        self.fields = lines.makeSection()
    }
}
