// SPDX-License-Identifier: Apache-2.0
public import TernFoundation
public import TernRequests
public import TernTransfers
import TernTransport

/// The rules of an upload that continues after an interruption.
public struct UploadResumption: Sendable {
    /// The protocol, by default interop version 8 of the IETF's draft "Resumable Uploads for HTTP".
    ///
    /// An upload that an earlier call began with another interop version of the draft continues with that version. If the earlier
    /// call used the other protocol, the upload begins again (``UploadRestart/otherProtocol``).
    public var uploadProtocol: UploadProtocol
    /// The rules after an interruption; `.manual` ends the call at the first interruption.
    public var policy: ResumptionPolicy
    /// The location of the record; `nil` for a file beside the uploaded one, with the ending `.tern-upload`.
    ///
    /// Anyone who has the URL in the record may be able to continue or cancel the upload, so the record gets mode 0600.
    public var record: URL?
    /// The maximum number of bytes that one request sends, at least 1; limits that the server announces take precedence.
    ///
    /// Beyond it, the call sends the rest in further requests. With `nil`, a request may send the whole rest of the file, with tus
    /// and `TusOptions.checksum` at most 16 MiB. Set this property for a proxy that limits the length of requests. With the IETF's
    /// draft, set it only if the server is known to support the draft: any other server takes the first part for the whole file.
    public var maximumPartByteCount: Int64?
    /// Whether the upload begins again if the file has changed since an earlier call, in place of `.uploadFailed(.fileChanged,
    /// …)`.
    public var restartsChangedFile: Bool
    /// Whether the server may process the request twice; with `nil`, only if the method is idempotent (RFC 9110 §9.2.2).
    ///
    /// If not, ``policy`` repeats the whole file only if the server has certainly not processed it.
    public var isRepeatable: Bool?
    /// The algorithm of the digest that the client sends for the whole file (`Repr-Digest`, RFC 9530); `nil` for none.
    ///
    /// The digest is in the request that creates the upload, so the client reads the whole file once more before that request;
    /// this counts towards the limit for the call. A call that continues an upload usually needs no digest. If the request has a
    /// field `Repr-Digest` already, the client sends that one. Only the IETF's draft has this digest; with tus, use
    /// `TusOptions.checksum`.
    public var digest: HashAlgorithm?
    /// The parameters of the tus protocol; the IETF's draft does not use them.
    public var tus: TusOptions

    /// Creates rules, each described at its property.
    public init(
        uploadProtocol: UploadProtocol = .draft(.eight),
        policy: ResumptionPolicy = .automatic,
        record: URL? = nil,
        maximumPartByteCount: Int64? = nil,
        restartsChangedFile: Bool = false,
        isRepeatable: Bool? = nil,
        digest: HashAlgorithm? = nil,
        tus: TusOptions = TusOptions()
    ) {
        self.uploadProtocol = uploadProtocol
        self.policy = policy
        self.record = record
        self.maximumPartByteCount = maximumPartByteCount
        self.restartsChangedFile = restartsChangedFile
        self.isRepeatable = isRepeatable
        self.digest = digest
        self.tus = tus
    }

    /// The default rules: interop version 8 of the IETF's draft, and up to four further attempts without progress.
    public static let automatic = UploadResumption()

    /// The default rules with the tus protocol.
    public static let tus = UploadResumption(uploadProtocol: .tus)

    func configuration(of call: HTTPCall, _ file: FileIdentity) -> UploadConfiguration {
        UploadConfiguration(
            self.uploadProtocol,
            to: call.destination,
            method: call.request.method,
            isRepeatable: self.isRepeatable ?? call.request.isRepeatable,
            file: file,
            hashAlgorithm: self.digest,
            partByteCount: self.maximumPartByteCount,
            restartsChangedFile: self.restartsChangedFile,
            policy: self.policy,
            tus: self.tus
        )
    }
}
