// SPDX-License-Identifier: Apache-2.0
package import TernRequests

/// The value that is stored beside a file while it is uploaded, so that a later call can continue the upload.
///
/// A record is true at every moment: the server named the ``url`` for this file, and has at least
/// ``acknowledgedByteCount`` bytes of the file.
///
/// - Important: The ``url`` is a capability, and the record contains it. So the file of a record has mode 0600, and no
///   log may contain its content.
package struct UploadRecord: Hashable, Sendable {
    /// The version of the format.
    package static let version = 1

    /// The protocol of the upload.
    package let uploadProtocol: UploadProtocol
    /// The URL of the upload on the server.
    package var url: UploadURL
    /// The resource that the file is for.
    package let resource: TransferResource
    /// The identity of the file.
    package let file: FileIdentity
    /// The digest of the file, if the caller knows it.
    package let digest: TransferDigest?
    /// The time when the upload was created.
    package let creationDate: HTTPDate
    /// The time when the server may delete the upload; `nil` if the server did not announce it.
    package var expirationDate: HTTPDate?
    /// The limits that the server set.
    package var limits: UploadLimits
    /// The number of bytes that the server has acknowledged.
    ///
    /// The server may have more.
    package var acknowledgedByteCount: Int64
    /// Whether a request that completes the upload may have reached the server.
    ///
    /// If so, and if the server no longer knows the upload, the server may have completed the upload and deleted it.
    package var mayBeComplete: Bool

    /// Creates a record.
    ///
    /// - Parameters:
    ///   - uploadProtocol: The protocol of the upload.
    ///   - url: The URL of the upload on the server.
    ///   - resource: The resource that the file is for.
    ///   - file: The identity of the file.
    ///   - digest: The digest of the file, if the caller knows it. Defaults to `nil`.
    ///   - creationDate: The time when the upload was created.
    ///   - expirationDate: The time when the server may delete the upload. Defaults to `nil`.
    ///   - limits: The limits that the server set. Defaults to none.
    ///   - acknowledgedByteCount: The number of bytes that the server has acknowledged. The result is `nil` if it is
    ///     negative, or greater than the length of the file. Defaults to 0.
    ///   - mayBeComplete: Whether a request that completes the upload may have reached the server. Defaults to `false`.
    package init?(
        _ uploadProtocol: UploadProtocol,
        url: UploadURL,
        resource: TransferResource,
        file: FileIdentity,
        digest: TransferDigest? = nil,
        creationDate: HTTPDate,
        expirationDate: HTTPDate? = nil,
        limits: UploadLimits = UploadLimits(),
        acknowledgedByteCount: Int64 = 0,
        mayBeComplete: Bool = false
    ) {
        guard 0...file.byteCount ~= acknowledgedByteCount else { return nil }
        self.uploadProtocol = uploadProtocol
        self.url = url
        self.resource = resource
        self.file = file
        self.digest = digest
        self.creationDate = creationDate
        self.expirationDate = expirationDate
        self.limits = limits
        self.acknowledgedByteCount = acknowledgedByteCount
        self.mayBeComplete = mayBeComplete
    }
}
