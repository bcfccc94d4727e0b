// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernFoundation
import TernRequests
import TernRetry
import TernTransfers

/// Values that several tests of uploads use.
enum UploadSamples {
    static let targetText = "https://example.com/files?token=secret"
    static let target = Samples.required(URL(string: targetText))
    static let location = url("https://example.com/uploads/abc")
    static let elsewhere = url("https://storage.example.net/u/1?sig=x")
    static let file = identity()
    static let draft = DraftDialect(.eight)

    static func url(_ text: String) -> UploadURL { Samples.required(UploadURL(text)) }

    static func identity(
        _ byteCount: Int64 = 1000,
        modified: Int64 = 1_700_000_000_123_456_789,
        number: UInt64 = 7,
        device: UInt64 = 3
    ) -> FileIdentity {
        Samples.required(
            FileIdentity(byteCount: byteCount, modificationNanoseconds: modified, number: number, device: device)
        )
    }

    static func destination(_ url: URL = target) -> Destination {
        do {
            return try Destination(url)
        } catch {
            preconditionFailure("\(error)")
        }
    }

    static func record(
        _ uploadProtocol: UploadProtocol = .draft(.eight),
        url: UploadURL = location,
        file: FileIdentity = file,
        digest: TransferDigest? = nil,
        expires: HTTPDate? = nil,
        limits: UploadLimits = UploadLimits(),
        acknowledged: Int64 = 400,
        mayBeComplete: Bool = false
    ) -> UploadRecord {
        Samples.required(
            UploadRecord(
                uploadProtocol,
                url: url,
                resource: TransferResource(destination()),
                file: file,
                digest: digest,
                creationDate: Samples.now,
                expirationDate: expires,
                limits: limits,
                acknowledgedByteCount: acknowledged,
                mayBeComplete: mayBeComplete
            )
        )
    }

    /// A configuration that waits 1, 2, 4, … seconds.
    static func configuration(
        _ uploadProtocol: UploadProtocol = .draft(.eight),
        file: FileIdentity = file,
        isRepeatable: Bool = false,
        digest: TransferDigest? = nil,
        part: Int64? = nil,
        restartsChangedFile: Bool = false,
        policy: ResumptionPolicy = Call.policy,
        tus: TusOptions = TusOptions()
    ) -> UploadConfiguration {
        UploadConfiguration(
            uploadProtocol,
            to: destination(),
            isRepeatable: isRepeatable,
            file: file,
            digest: digest,
            partByteCount: part,
            restartsChangedFile: restartsChangedFile,
            policy: policy,
            tus: tus
        )
    }
}
