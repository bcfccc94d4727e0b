// SPDX-License-Identifier: Apache-2.0
package import TernRequests

/// The value that is stored beside a file while it is uploaded, so that a later call can continue the upload.
///
/// A record is true at every moment: the server named the ``url`` for this file, and has ``acknowledgedByteCount`` bytes or more.
///
/// - Important: The ``url`` is a capability. So the file of a record has mode 0600, and no log may contain its content.
package struct UploadRecord: Hashable, Sendable {
    package static let version = 1

    package let uploadProtocol: UploadProtocol
    package var url: UploadURL
    package let resource: TransferResource
    package let file: FileIdentity
    package let digest: TransferDigest?
    package let creationDate: HTTPDate
    /// The time when the server may delete the upload.
    package var expirationDate: HTTPDate?
    package var limits: UploadLimits
    /// The server may have more.
    package var acknowledgedByteCount: Int64
    /// Whether a request that completes the upload may have reached the server, which may then have deleted the upload.
    package var mayBeComplete: Bool

    /// Returns `nil` if the acknowledged bytes are negative, or more than the file has.
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
