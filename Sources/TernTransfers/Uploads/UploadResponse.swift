// SPDX-License-Identifier: Apache-2.0
package import HTTPTypes
package import TernFoundation

/// The properties of a final response that the machine needs.
package struct UploadResponse: Hashable, Sendable {
    /// The status.
    package let status: Int
    /// The fields.
    package let fields: HTTPFields
    /// The URL that the response came from, to which its `Location` is relative.
    package let url: URL
    /// The problem in the body; `nil` if there is none.
    ///
    /// If ``UploadProblem/isExpected(status:fields:)`` is `true`, the driver reads the body before it reports the
    /// response, up to ``UploadProblem/maximumByteCount``, and keeps the bytes: they may be the answer of the call.
    package let problem: UploadProblem?

    /// Creates a response.
    ///
    /// - Parameters:
    ///   - status: The status.
    ///   - fields: The fields.
    ///   - url: The URL that the response came from.
    ///   - problem: The problem in the body. Defaults to `nil`.
    package init(status: Int, fields: HTTPFields, url: URL, problem: UploadProblem? = nil) {
        self.status = status
        self.fields = fields
        self.url = url
        self.problem = problem
    }
}

/// An informational response (1xx) to a request of an upload.
package struct UploadNotice: Hashable, Sendable {
    /// The status.
    package let status: Int
    /// The fields.
    package let fields: HTTPFields
    /// The URL of the request that the response belongs to.
    package let url: URL

    /// Creates an informational response.
    ///
    /// - Parameters:
    ///   - status: The status.
    ///   - fields: The fields.
    ///   - url: The URL of the request, after redirects.
    package init(status: Int, fields: HTTPFields, url: URL) {
        self.status = status
        self.fields = fields
        self.url = url
    }
}
