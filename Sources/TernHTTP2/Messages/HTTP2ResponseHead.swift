// SPDX-License-Identifier: Apache-2.0

package import HTTPTypes
@_spi(CrossModuleInlining) package import TernFields

/// The head of a response: its status and fields.
///
/// Making one costs a single allocation, which holds the fields as lines. Text and `HTTPFields` are made from them on
/// demand.
package struct HTTP2ResponseHead: Equatable, Sendable {
    /// The status code, from 100 to 999.
    package let statusCode: Int
    /// The `content-length` in bytes; also set for HEAD and 304, whose responses have no content.
    package let contentLength: Int64?
    /// Which of the fields that steer a client are present.
    package let noticedFields: NoticedFields
    /// The fields, without `:status`.
    package let fields: FieldSection

    /// The status as a value of the currency types.
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
