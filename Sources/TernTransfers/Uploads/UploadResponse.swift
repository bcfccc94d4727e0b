// SPDX-License-Identifier: Apache-2.0
package import HTTPTypes
package import TernFoundation

package struct UploadResponse: Hashable, Sendable {
    package let status: Int
    package let fields: HTTPFields
    /// The URL that the response came from, to which its `Location` is relative.
    package let url: URL
    /// The problem in the body, which the driver reads if ``UploadProblem/isExpected(status:fields:)``, up to
    /// ``UploadProblem/maximumByteCount``; it keeps the body, which may be the answer of the call.
    package let problem: UploadProblem?

    package init(status: Int, fields: HTTPFields, url: URL, problem: UploadProblem? = nil) {
        self.status = status
        self.fields = fields
        self.url = url
        self.problem = problem
    }
}

/// An informational response (1xx) to a request of an upload.
package struct UploadNotice: Hashable, Sendable {
    package let status: Int
    package let fields: HTTPFields
    /// The URL of the request, after redirects.
    package let url: URL

    package init(status: Int, fields: HTTPFields, url: URL) {
        self.status = status
        self.fields = fields
        self.url = url
    }
}
