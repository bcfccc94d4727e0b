// SPDX-License-Identifier: Apache-2.0
package import HTTPTypes
package import TernRequests

/// The next request of an upload.
package struct UploadRequest: Hashable, Sendable {
    /// The purpose of a request.
    package enum Purpose: Hashable, Sendable {
        /// Creates the upload, and perhaps sends the file or its first part.
        ///
        /// This is the caller's own request, with its URL, its credentials and the fields of ``UploadRequest/fields``.
        case create
        /// Asks the server for the number of bytes that it has.
        case locate
        /// Sends the next bytes of the file.
        case append
        /// Asks the server to forget the upload.
        case cancel
    }

    /// The recipient of a request.
    package enum Target: Hashable, Sendable {
        /// The URL of the caller's request.
        case resource
        /// The upload on the server.
        case upload(UploadURL)
    }

    /// The purpose.
    package let purpose: Purpose
    /// The method.
    package let method: HTTPRequest.Method
    /// The recipient.
    package let target: Target
    /// Whether the recipient is at another origin than the resource.
    ///
    /// Such a request has none of the caller's credentials: no `Authorization`, no user information, no cookies of the
    /// resource, and no client certificate unless it was chosen for that origin. Handle the request like one after a
    /// redirect to that origin.
    package let isCrossOrigin: Bool
    /// The fields that this request sets, in place of any others with the same names.
    ///
    /// A request for ``Target/resource`` also has the caller's fields. A request for an upload has them, too, except
    /// `Expect`, `Range`, conditions, and fields that describe the caller's content, such as `Content-Type`,
    /// `Content-Encoding`, `Content-Disposition` and `Repr-Digest`.
    package let fields: HTTPFields
    /// The bytes of the file to send as content, with `Content-Length`; `nil` for a request without content.
    ///
    /// May be empty: then `Content-Length` is 0.
    package let body: Range<Int64>?
    /// The hash to send with the content; `nil` for none.
    ///
    /// The driver reads the bytes of ``body`` with an ``UploadPartHasher`` before it sends the request, and sets the
    /// field `Upload-Checksum` to the hasher's value.
    package let checksum: UploadChecksum?
    /// The algorithm of the digest of the whole file to send with the request that creates the upload; `nil` for none.
    ///
    /// The driver reads the whole file before it sends the request, sets the field `Repr-Digest`, and reports
    /// ``UploadStateMachine/hashed(_:)``.
    package let digest: HashAlgorithm?

    /// Creates a request.
    ///
    /// - Parameters:
    ///   - purpose: The purpose.
    ///   - method: The method.
    ///   - target: The recipient. Defaults to the resource.
    ///   - isCrossOrigin: Whether the recipient is at another origin than the resource. Defaults to `false`.
    ///   - fields: The fields that the request sets.
    ///   - body: The bytes of the file to send. Defaults to `nil`: there is no content.
    ///   - checksum: The hash to send with the content. Defaults to `nil`.
    ///   - digest: The algorithm of the digest of the whole file. Defaults to `nil`.
    package init(
        _ purpose: Purpose,
        _ method: HTTPRequest.Method,
        _ target: Target = .resource,
        isCrossOrigin: Bool = false,
        fields: HTTPFields,
        body: Range<Int64>? = nil,
        checksum: UploadChecksum? = nil,
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
