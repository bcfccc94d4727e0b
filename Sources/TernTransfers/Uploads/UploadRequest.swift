// SPDX-License-Identifier: Apache-2.0
package import HTTPTypes
package import TernRequests

package struct UploadRequest: Hashable, Sendable {
    package enum Purpose: Hashable, Sendable {
        /// Creates the upload, and perhaps sends bytes, by a request to the resource itself.
        case create
        /// Asks the server for the number of bytes that it has.
        case locate
        case append
        /// Asks the server to forget the upload.
        case cancel
    }

    package enum Target: Hashable, Sendable {
        case resource
        case upload(UploadURL)
    }

    package let purpose: Purpose
    package let method: HTTPRequest.Method
    package let target: Target
    /// Whether the recipient is at another origin than the resource, and gets none of the caller's credentials (`Authorization`,
    /// user information, cookies, client certificate), like after a redirect to that origin.
    package let isCrossOrigin: Bool
    /// Replaces fields of the same names; a request to an upload also gets the caller's fields, except `Expect`, `Range`,
    /// conditions, and those that describe the caller's content, such as `Content-Type`, `Content-Encoding`, `Content-Disposition`
    /// and `Repr-Digest`.
    package let fields: HTTPFields
    /// The bytes of the file to send, which may be empty: then `Content-Length` is 0; `nil` for a request without content.
    package let body: Range<Int64>?
    /// The driver hashes ``body`` with an ``UploadPartHasher`` before it sends the request, and sets `Upload-Checksum`.
    package let checksum: HashAlgorithm?
    /// The driver hashes the whole file before it sends the request, sets `Repr-Digest`, and reports
    /// ``UploadStateMachine/hashed(_:)``.
    package let digest: HashAlgorithm?

    package init(
        _ purpose: Purpose,
        _ method: HTTPRequest.Method,
        _ target: Target = .resource,
        isCrossOrigin: Bool = false,
        fields: HTTPFields,
        body: Range<Int64>? = nil,
        checksum: HashAlgorithm? = nil,
        digest: HashAlgorithm? = nil
    ) {
        self.purpose = purpose
        self.method = method
        self.target = target
        self.isCrossOrigin = isCrossOrigin
        self.fields = fields
        self.body = body
        self.checksum = checksum
        self.digest = digest
    }
}
