// SPDX-License-Identifier: Apache-2.0
import Tern

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Uploads a large photo from a file, with progress.
struct UploadChapter: DemoChapter {
    let title = "Upload a photo of 13.1 MB from a file"

    static let fileName = "large.photo"

    struct Receipt: Codable {
        var byteCount: Int
        var checksum: String
    }

    func play(on stage: DemoStage) async throws {
        let file = stage.folder.file(Self.fileName)
        let photo = DemoPhoto.make()
        try photo.write(to: file)

        let progress = ProgressLine(.upload, label: Self.fileName)
        let request = Request(.put, stage.url("photos/2"))
        let (data, response) = try await stage.client.upload(for: request, fromFile: file, delegate: progress)
        progress.finish(succeeded: true)
        try stage.expect(response.status == .created, "the upload is answered by 201")

        let waited = progress.informationalStatuses.contains(100) ? " after \"100 Continue\"" : ""
        let sent = "sent \(Figures.bytes(progress.byteCount))\(waited)"
        try await stage.say("PUT /photos/2: \(sent), answered \(response.status)")
        try await stage.say("the delegate was told of progress \(progress.reportCount) times")
        try stage.expect(progress.byteCount == Int64(photo.count), "progress ends at the length of the file")

        let receipt = try JSONDecoder().decode(Receipt.self, from: data)
        let checksum = photo.withUnsafeBytes { DemoPhoto.checksum(of: $0) }
        try stage.expect(receipt.byteCount == photo.count, "the server has as many bytes as the file")
        try stage.expect(receipt.checksum == checksum, "the server has the content of the file")
        try await stage.say("the server has the same \(receipt.byteCount) bytes: checksum \(checksum)")
    }
}
