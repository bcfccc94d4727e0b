// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Tern
import TernFoundation
import TernRequests
import TernTransfers

extension StoredTransfer {
    private static let format = RecordFormat<StoredContent>(magic: "tern-transfer", version: Self.version)

    /// Contains the query of the URL, so only the owner may read the file; equal transfers have equal bytes.
    var encoded: [UInt8] { Self.format.encode(self) }

    init(decoding bytes: [UInt8]) throws(RecordProblem) { self = try Self.format.decode(bytes) }
}

private struct StoredContent: RecordContent {
    private struct StoredFailure: Codable {
        var message: String
        var reason: String
    }

    private struct StoredTus: Codable {
        var checksum: String?
        var content: Bool
        var metadata: [StoredMetadata]
    }

    private struct StoredMetadata: Codable {
        var key: String
        var value: Data
    }

    private struct StoredUpload: Codable {
        var digest: String?
        var part: Int64?
        var `protocol`: String
        var repeatable: Bool?
        var restarts: Bool
        var tus: StoredTus
    }

    private var attempts: Int
    private var bytes: Int64
    private var checksum: String?
    private var delay: Int64?
    private var failure: StoredFailure?
    private var fields: [[String]]
    private var file: String
    private var label: String
    private var method: String
    private var number: Int64
    private var priority: String
    private var sent: Bool
    private var state: String
    private var total: Int64?
    private var until: Int64?
    private var upload: StoredUpload?
    private var url: String

    init(_ transfer: StoredTransfer) {
        let description = transfer.description
        self.attempts = transfer.failedAttemptCount
        self.bytes = transfer.byteCount
        self.failure = transfer.failure.map { StoredFailure(message: $0.message, reason: $0.reason.rawValue) }
        self.fields = description.fields.map { [$0.name.rawName, $0.value] }
        self.file = description.file.path
        self.label = description.label
        self.method = description.method.rawValue
        self.number = transfer.id.number
        self.priority = "\(description.priority)"
        self.sent = transfer.mayBeProcessed
        self.total = transfer.totalByteCount
        self.url = description.url.absoluteString
        switch transfer.phase {
        case .waiting: self.state = "waiting"
        case .delayed(let date, let secondCount):
            (self.state, self.until, self.delay) = ("delayed", date.secondsSince1970, secondCount)
        case .paused: self.state = "paused"
        case .completed: self.state = "completed"
        case .failed: self.state = "failed"
        }
        switch description.kind {
        case .download(let checksum): self.checksum = checksum?.description
        case .upload(let options): self.upload = Self.upload(options)
        }
    }

    private static func upload(_ options: TransferDescription.UploadOptions) -> StoredUpload {
        StoredUpload(
            digest: options.digest?.rawValue,
            part: options.maximumPartByteCount,
            protocol: options.uploadProtocol.name,
            repeatable: options.isRepeatable,
            restarts: options.restartsChangedFile,
            tus: StoredTus(
                checksum: options.tus.checksum?.checksumName,
                content: options.tus.createsWithContent,
                metadata: options.tus.metadata.map { StoredMetadata(key: $0.key, value: Data($0.value)) }
            )
        )
    }

    // MARK: Decoding

    var record: StoredTransfer? {
        guard let id = TransferID(self.number), let description = self.description, let phase = self.phase,
            self.attempts >= 0, self.bytes >= 0, self.total ?? 0 >= 0, self.delay ?? 0 >= 0,
            self.delay == nil || self.until != nil
        else { return nil }
        var transfer = StoredTransfer(id, description)
        transfer.phase = phase
        transfer.mayBeProcessed = self.sent
        transfer.failedAttemptCount = self.attempts
        transfer.byteCount = self.bytes
        transfer.totalByteCount = self.total
        if let failure = self.failure {
            guard let reason = TransferFailure.Reason(rawValue: failure.reason),
                failure.message.utf8.count <= StoredTransfer.maximumMessageByteCount
            else { return nil }
            transfer.failure = StoredTransfer.Failure(reason: reason, message: failure.message)
        }
        return transfer
    }

    private var phase: StoredTransfer.Phase? {
        switch (self.state, self.until) {
        case ("waiting", nil): .waiting
        case ("delayed", let seconds?):
            .delayed(until: HTTPDate(secondsSince1970: seconds), secondCount: self.delay)
        case ("paused", nil): .paused
        case ("completed", nil): .completed
        // A transfer that has failed has a reason.
        case ("failed", nil): self.failure == nil ? nil : .failed
        default: nil
        }
    }

    private var description: TransferDescription? {
        guard let kind = self.kind, let method = HTTPRequest.Method(rawValue: self.method),
            let url = URL(string: self.url), self.file.utf8.first == UInt8(ascii: "/"),
            let priority = TransferPriority.allCases.first(where: { "\($0)" == self.priority })
        else { return nil }
        let file = URL(filePath: self.file, directoryHint: .notDirectory)
        var description = TransferDescription(kind, method, url, file)
        description.priority = priority
        description.label = self.label
        for field in self.fields {
            guard field.count == 2, let name = HTTPField.Name(field[0]) else { return nil }
            description.fields.append(HTTPField(name: name, value: field[1]))
        }
        return UnsuitableTransfer(description) == nil ? description : nil
    }

    private var kind: TransferDescription.Kind? {
        if let upload = self.upload {
            guard self.checksum == nil else { return nil }
            return Self.options(upload).map { .upload($0) }
        }
        guard let text = self.checksum else { return .download(expecting: nil) }
        return Checksum(text).map { .download(expecting: $0) }
    }

    private static func options(_ upload: StoredUpload) -> TransferDescription.UploadOptions? {
        guard let uploadProtocol = UploadProtocol(name: upload.protocol) else { return nil }
        var options = TransferDescription.UploadOptions(
            uploadProtocol: uploadProtocol,
            maximumPartByteCount: upload.part,
            restartsChangedFile: upload.restarts,
            isRepeatable: upload.repeatable
        )
        if let name = upload.digest {
            guard let digest = HashAlgorithm(rawValue: name) else { return nil }
            options.digest = digest
        }
        options.tus.createsWithContent = upload.tus.content
        for pair in upload.tus.metadata {
            guard let metadata = TusOptions.Metadata(pair.key, pair.value) else { return nil }
            options.tus.metadata.append(metadata)
        }
        if let name = upload.tus.checksum {
            guard let checksum = HashAlgorithm(checksumName: name) else { return nil }
            options.tus.checksum = checksum
        }
        return options
    }
}
