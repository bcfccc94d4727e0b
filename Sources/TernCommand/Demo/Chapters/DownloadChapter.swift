// SPDX-License-Identifier: Apache-2.0
import Tern

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Downloads the large photo to a file, and compares the memory that takes with that of `data`.
struct DownloadChapter: DemoChapter {
    let title = "Download it again, in a few buffers"

    func play(on stage: DemoStage) async throws {
        let progress = ProgressLine(.download, label: "photo 2")
        let (download, downloadGrowth) = try await PeakMemory.growth {
            try await stage.client.download(from: stage.url("photos/2"), delegate: progress)
        }
        progress.finish(succeeded: true)
        let (location, response) = download
        let file = stage.folder.file("copy.photo")
        try FileManager.default.moveItem(at: location, to: file)
        try stage.expect(response.status == .ok, "the photo that was uploaded is there")
        let size = Figures.bytes(progress.byteCount)
        try await stage.say("download to a file:  \(size), \(PeakMemory.text(downloadGrowth))")

        let (reply, dataGrowth) = try await PeakMemory.growth {
            try await stage.client.data(from: stage.url("photos/2"))
        }
        try await stage.say("data, in comparison: \(size), \(PeakMemory.text(dataGrowth))")
        if let downloadGrowth {
            let limit = Int64(DemoPhoto.byteCount / 2)
            try stage.expect(downloadGrowth < limit, "a download takes less memory than half the photo")
            try await stage.say("(both with the server's share, which runs in the same process)")
        }

        let original = try Data(contentsOf: stage.folder.file(UploadChapter.fileName))
        try stage.expect(try Data(contentsOf: file) == original, "the downloaded file equals the one that was uploaded")
        try stage.expect(reply.0 == original, "data equals the file that was uploaded")
        try await stage.say("both are equal to the file that was uploaded, byte for byte")
    }
}
