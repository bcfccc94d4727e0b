// SPDX-License-Identifier: Apache-2.0
package import HTTPTypes
package import TernRequests

package struct UploadConfiguration: Hashable, Sendable {
    /// The protocol of a new upload; an upload that a record describes continues with the record's interop version.
    package var uploadProtocol: UploadProtocol
    package var origin: Origin
    package var resource: TransferResource
    /// The tus protocol always uses `POST`.
    package var method: HTTPRequest.Method
    /// Whether the server may process the request twice, so that an upload that it may have completed can begin again.
    package var isRepeatable: Bool
    package var file: FileIdentity
    package var digest: TransferDigest?
    /// The algorithm of the digest that the driver computes before the upload is created, unless ``digest`` is known.
    package var hashAlgorithm: HashAlgorithm?
    /// The maximum length of one request's content; `nil` for the rest of the file, or for ``checkedPartByteCount`` with a hash.
    ///
    /// With the draft, set it only for a server that supports the draft: any other would take the first part for the whole file.
    package var partByteCount: Int64?
    /// Whether the upload of a file that has changed since an earlier call begins again; otherwise the call fails.
    package var restartsChangedFile: Bool
    package var policy: ResumptionPolicy
    package var tus: TusOptions

    /// The default length of a part with a hash: the driver reads each part twice, because the hash goes before the content.
    package static let checkedPartByteCount: Int64 = 16 << 20

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
