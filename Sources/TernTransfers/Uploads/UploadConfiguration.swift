// SPDX-License-Identifier: Apache-2.0
package import HTTPTypes
package import TernRequests

/// The parameters of one upload.
package struct UploadConfiguration: Hashable, Sendable {
    /// The protocol of a new upload.
    ///
    /// An upload that a record describes continues with the record's interop version.
    package var uploadProtocol: UploadProtocol
    /// The origin of the caller's request.
    package var origin: Origin
    /// The resource of the caller's request.
    package var resource: TransferResource
    /// The method of the caller's request.
    ///
    /// The tus protocol always uses `POST`.
    package var method: HTTPRequest.Method
    /// Whether the server is allowed to process the request twice: the caller says so, or the method is idempotent.
    ///
    /// An upload that the server may have completed begins again only if this is `true`.
    package var isRepeatable: Bool
    /// The identity of the open file.
    package var file: FileIdentity
    /// The digest of the file, if the caller knows it.
    ///
    /// Defaults to `nil`.
    package var digest: TransferDigest?
    /// The algorithm of the digest that the driver computes before the upload is created, unless ``digest`` is known.
    ///
    /// Defaults to `nil`: the server gets no digest.
    package var hashAlgorithm: HashAlgorithm?
    /// The maximum length of the content of one request, in bytes.
    ///
    /// Defaults to `nil`: each request sends the rest of the file, or ``checkedPartByteCount`` if it has a hash.
    ///
    /// With the IETF's draft, set this only for a server that is known to support the draft: any other server would
    /// take the first part for the whole file.
    package var partByteCount: Int64?
    /// Whether the upload of a file that has changed since an earlier call begins again; otherwise the call fails.
    ///
    /// Defaults to `false`.
    package var restartsChangedFile: Bool
    /// The rules after an interruption.
    package var policy: ResumptionPolicy
    /// The parameters of the tus protocol.
    package var tus: TusOptions

    /// The length of a part with a hash, in bytes, if the caller sets none: 16 MiB.
    ///
    /// The hash goes before the content, so the driver reads each part twice. If the server received other bytes, it
    /// discards the part.
    package static let checkedPartByteCount: Int64 = 16 << 20

    /// Creates a configuration.
    ///
    /// - Parameters:
    ///   - uploadProtocol: The protocol. Defaults to version 8 of the draft.
    ///   - destination: The destination of the caller's request.
    ///   - method: The method of the caller's request. Defaults to `POST`.
    ///   - isRepeatable: Whether the server is allowed to process the request twice. Defaults to `false`.
    ///   - file: The identity of the open file.
    ///   - digest: The digest of the file, if the caller knows it. Defaults to `nil`.
    ///   - hashAlgorithm: The algorithm of the digest that the driver computes. Defaults to `nil`.
    ///   - partByteCount: The maximum length of the content of one request, at least 1. Defaults to `nil`.
    ///   - restartsChangedFile: Whether the upload of a file that has changed begins again. Defaults to `false`.
    ///   - policy: The rules after an interruption. Defaults to `ResumptionPolicy()`.
    ///   - tus: The parameters of the tus protocol. Defaults to `TusOptions()`.
    package init(
        _ uploadProtocol: UploadProtocol = .draft(.eight),
        to destination: Destination,
        method: HTTPRequest.Method = .post,
        isRepeatable: Bool = false,
        file: FileIdentity,
        digest: TransferDigest? = nil,
        hashAlgorithm: HashAlgorithm? = nil,
        partByteCount: Int64? = nil,
        restartsChangedFile: Bool = false,
        policy: ResumptionPolicy = ResumptionPolicy(),
        tus: TusOptions = TusOptions()
    ) {
        self.uploadProtocol = uploadProtocol
        self.origin = destination.origin
        self.resource = TransferResource(destination)
        self.method = method
        self.isRepeatable = isRepeatable
        self.file = file
        self.digest = digest
        self.hashAlgorithm = hashAlgorithm
        self.partByteCount = partByteCount.map { max(1, $0) }
        self.restartsChangedFile = restartsChangedFile
        self.policy = policy
        self.tus = tus
    }
}
