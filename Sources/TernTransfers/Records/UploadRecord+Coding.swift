// SPDX-License-Identifier: Apache-2.0
import TernRequests

extension UploadRecord {
    private static let format = RecordFormat<StoredContent>(magic: "tern-upload", version: Self.version)

    /// Contains the URL of the upload, so only the owner may read the file; equal records have equal bytes.
    package var encoded: [UInt8] { Self.format.encode(self) }

    /// Creates a record from a file, of which the first ``RecordProblem/maximumByteCount`` + 1 bytes are enough.
    package init(decoding bytes: [UInt8]) throws(RecordProblem) { self = try Self.format.decode(bytes) }
}

private struct StoredContent: RecordContent {
    private struct StoredFile: Codable {
        var device: UInt64
        var length: Int64
        var modified: Int64
        var number: UInt64
    }

    private struct StoredLimits: Codable {
        var append: Int64?
        var minappend: Int64?
        var minsize: Int64?
        var size: Int64?
    }

    private var acknowledged: Int64
    private var completing: Bool
    private var created: Int64
    private var digest: StoredDigest?
    private var expires: Int64?
    private var file: StoredFile
    private var limits: StoredLimits?
    private var origin: String
    private var path: String
    private var `protocol`: String
    private var url: String

    init(_ record: UploadRecord) {
        self.acknowledged = record.acknowledgedByteCount
        self.completing = record.mayBeComplete
        self.created = record.creationDate.secondsSince1970
        self.digest = record.digest.map { StoredDigest($0) }
        self.expires = record.expirationDate?.secondsSince1970
        self.file = StoredFile(
            device: record.file.device,
            length: record.file.byteCount,
            modified: record.file.modificationNanoseconds,
            number: record.file.number
        )
        let limits = StoredLimits(
            append: record.limits.maximumPartByteCount,
            minappend: record.limits.minimumPartByteCount,
            minsize: record.limits.minimumByteCount,
            size: record.limits.maximumByteCount
        )
        self.limits = record.limits == UploadLimits() ? nil : limits
        self.origin = record.resource.origin
        self.path = record.resource.path
        self.protocol = record.uploadProtocol.name
        self.url = record.url.text
    }

    var record: UploadRecord? {
        guard let uploadProtocol = UploadProtocol(name: self.protocol), let url = UploadURL(self.url),
            let file = FileIdentity(
                byteCount: self.file.length,
                modificationNanoseconds: self.file.modified,
                number: self.file.number,
                device: self.file.device
            )
        else { return nil }
        let limits = UploadLimits(
            maximumByteCount: self.limits?.size,
            minimumByteCount: self.limits?.minsize,
            maximumPartByteCount: self.limits?.append,
            minimumPartByteCount: self.limits?.minappend
        )
        guard limits.isValid else { return nil }
        return UploadRecord(
            uploadProtocol,
            url: url,
            resource: TransferResource(origin: self.origin, path: self.path),
            file: file,
            digest: self.digest?.digest,
            creationDate: HTTPDate(secondsSince1970: self.created),
            expirationDate: self.expires.map { HTTPDate(secondsSince1970: $0) },
            limits: limits,
            acknowledgedByteCount: self.acknowledged,
            mayBeComplete: self.completing
        )
    }
}
