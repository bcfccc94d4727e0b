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

/// What a large photo holds: bytes that look random, and that are the same every time.
enum DemoPhoto {
    /// How long it is: 13.1 MB.
    static let byteCount = 13_100_000

    /// Makes the bytes.
    static func make() -> Data {
        var words = [UInt64](repeating: 0, count: (Self.byteCount + 7) / 8)
        var state: UInt64 = 0x9E37_79B9_7F4A_7C15
        words.withUnsafeMutableBufferPointer { words in
            for index in words.indices {
                state ^= state << 13
                state ^= state >> 7
                state ^= state << 17
                words[index] = state
            }
        }
        return words.withUnsafeBytes { Data($0.prefix(Self.byteCount)) }
    }

    /// A sum that differs when the content does (FNV-1a, over words of eight bytes).
    static func checksum(of bytes: UnsafeRawBufferPointer) -> String {
        var sum: UInt64 = 0xCBF2_9CE4_8422_2325
        var offset = 0
        while offset + 8 <= bytes.count {
            let word = bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            sum = (sum ^ UInt64(littleEndian: word)) &* 0x100_0000_01B3
            offset += 8
        }
        while offset < bytes.count {
            sum = (sum ^ UInt64(bytes[offset])) &* 0x100_0000_01B3
            offset += 1
        }
        return String(sum, radix: 16)
    }
}

/// Measures how far the memory of this process grows, on Linux.
enum PeakMemory {
    /// Does something, and measures by how much the memory grew meanwhile at most.
    ///
    /// - Parameter body: what to do.
    /// - Returns: what `body` gave, and the growth in bytes; `nil` where it is not measured.
    /// - Throws: whatever `body` throws.
    static func growth<Value>(during body: () async throws -> Value) async throws -> (Value, growth: Int64?) {
        // Writing 5 there resets the peak to what is in use now; see proc(5).
        let isReset = (try? Data("5".utf8).write(to: URL(filePath: "/proc/self/clear_refs"))) != nil
        let before = Self.value(of: "VmRSS")
        let value = try await body()
        guard isReset, let before, let peak = Self.value(of: "VmHWM") else { return (value, nil) }
        return (value, max(0, peak - before))
    }

    /// A growth as text.
    static func text(_ growth: Int64?) -> String {
        growth.map { "\(Figures.bytes($0)) of memory at most" } ?? "memory not measured on this system"
    }

    private static func value(of name: String) -> Int64? {
        guard let data = try? Data(contentsOf: URL(filePath: "/proc/self/status")) else { return nil }
        let lines = String(decoding: data, as: UTF8.self).split(separator: "\n")
        let line = lines.first { $0.hasPrefix("\(name):") }
        return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int64($0) }.map { $0 * 1024 }
    }
}
