// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Tern
import TernFoundation
@testable import TernTransferQueue

/// Values for tests of a queue's files.
enum QueueSamples {
    static let url = URL(string: "https://example.com:8443/files/model.bin?version=2&x=%20") ?? URL(filePath: "/")
    static let file = URL(filePath: "/srv/models/the model ä.bin", directoryHint: .notDirectory)

    static var download: TransferDescription {
        let checksum = Checksum("sha256:" + String(repeating: "ab", count: 32))
        var description = TransferDescription.download(from: Self.url, to: Self.file, expecting: checksum)
        description.fields = [.accept: "application/octet-stream", .userAgent: "test \"1\""]
        description.fields.append(HTTPField(name: .accept, value: "*/*"))
        description.priority = .high
        description.label = "Modell „ä“/1"
        return description
    }

    static var upload: TransferDescription {
        var tus = TusOptions(createsWithContent: true, checksum: .sha256)
        tus.metadata = [("name", "ä.bin"), ("empty", "")].compactMap { TusOptions.Metadata($0.0, $0.1.utf8) }
        let options = TransferDescription.UploadOptions(
            uploadProtocol: .tus,
            maximumPartByteCount: 1000,
            restartsChangedFile: true,
            isRepeatable: false,
            tus: tus
        )
        return .upload(to: Self.url, fromFile: Self.file, method: .put, options: options)
    }

    /// A transfer with a value for each key.
    static var full: StoredTransfer {
        var transfer = StoredTransfer(ScheduleScene.id(17), Self.upload)
        transfer.phase = .delayed(until: HTTPDate(secondsSince1970: 1_800_000_000), secondCount: 90)
        transfer.mayBeProcessed = true
        transfer.failedAttemptCount = 3
        transfer.byteCount = 500
        transfer.totalByteCount = 1000
        transfer.failure = .init(reason: .serverUnavailable, message: "503 \"later\"")
        return transfer
    }

    /// Transfers of each kind and in each state.
    static var all: [StoredTransfer] {
        var paused = StoredTransfer(ScheduleScene.id(2), Self.download)
        paused.phase = .paused
        var completed = StoredTransfer(ScheduleScene.id(9_999_999_999), Self.download)
        completed.phase = .completed
        completed.byteCount = .max
        var failed = StoredTransfer(ScheduleScene.id(4), .upload(to: Self.url, fromFile: Self.file))
        failed.phase = .failed
        failed.failure = .init(reason: .possiblyProcessed, message: "")
        let plain = StoredTransfer(ScheduleScene.id(1), .download(from: Self.url, to: Self.file))
        let checked = TransferDescription.UploadOptions(digest: .sha512)
        let digest = StoredTransfer(
            ScheduleScene.id(5),
            .upload(to: Self.url, fromFile: Self.file, options: checked)
        )
        var old = plain
        old.phase = .delayed(until: HTTPDate(secondsSince1970: 1_800_000_000), secondCount: nil)
        return [Self.full, paused, completed, failed, plain, digest, old]
    }
}
