// SPDX-License-Identifier: Apache-2.0

package import HTTPTypes
@_spi(CrossModuleInlining) package import TernFields

/// The head of a response, with its fields in a single allocation, from which text is created when a caller asks for it.
package struct HTTP2ResponseHead: Equatable, Sendable {
    package let statusCode: Int
    /// The `content-length` in bytes, which a response to HEAD and a 304 may have, too.
    package let contentLength: Int64?
    package let noticedFields: NoticedFields
    package let fields: FieldSection

    /// The status without a reason phrase (RFC 9113 §8.3.2).
    package var status: HTTPResponse.Status { .init(code: self.statusCode) }

    init(statusCode: Int, _ lines: FieldLines) {
        self.statusCode = statusCode
        self.contentLength = lines.contentLength
        self.noticedFields = lines.noticedFields
        self.fields = lines.makeSection()
    }
}
