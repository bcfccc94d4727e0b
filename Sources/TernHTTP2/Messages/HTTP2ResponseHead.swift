// SPDX-License-Identifier: Apache-2.0

package import HTTPTypes
@_spi(CrossModuleInlining) package import TernFields

/// The head of a response: its status and fields.
///
/// A head takes a single allocation, which stores the fields as lines. Text and `HTTPFields` are made from the lines on
/// demand.
package struct HTTP2ResponseHead: Equatable, Sendable {
    /// The status code, from 100 to 999.
    package let statusCode: Int
    /// The `content-length` in bytes; also set for HEAD and 304, whose responses have no content.
    package let contentLength: Int64?
    /// The fields that a client acts on, as far as they are present.
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
