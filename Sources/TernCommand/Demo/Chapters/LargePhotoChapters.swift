// SPDX-License-Identifier: Apache-2.0
import Tern
import TernFoundation

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
        try stage.expect(response.status == .created, "the server answers the upload with 201")

        let waited = progress.informationalStatuses.contains(100) ? " after \"100 Continue\"" : ""
        let sent = "sent \(NumberFormat.bytes(progress.byteCount))\(waited)"
        try await stage.say("PUT /photos/2: \(sent), answered \(response.status)")
        try await stage.say("the delegate received \(progress.reportCount) progress reports")
        try stage.expect(progress.byteCount == Int64(photo.count), "the last progress report has the file's length")

        let receipt = try JSONDecoder().decode(Receipt.self, from: data)
        let checksum = photo.withUnsafeBytes { DemoPhoto.checksum(of: $0) }
        try stage.expect(receipt.byteCount == photo.count, "the server received as many bytes as the file has")
        try stage.expect(receipt.checksum == checksum, "the server received the content of the file")
        try await stage.say("the server received the same \(receipt.byteCount) bytes: checksum \(checksum)")
    }
}

struct DownloadChapter: DemoChapter {
    let title = "Download it again with little memory"

    func play(on stage: DemoStage) async throws {
        let progress = ProgressLine(.download, label: "photo 2")
        let (download, downloadGrowth) = try await PeakMemory.growth {
            try await stage.client.download(from: stage.url("photos/2"), delegate: progress)
        }
        progress.finish(succeeded: true)
        let (location, response) = download
        let file = stage.folder.file("copy.photo")
        try FileManager.default.moveItem(at: location, to: file)
        try stage.expect(response.status == .ok, "the uploaded photo exists")
        let size = NumberFormat.bytes(progress.byteCount)
        try await stage.say("download to a file:  \(size), \(PeakMemory.text(downloadGrowth))")

        let (reply, dataGrowth) = try await PeakMemory.growth {
            try await stage.client.data(from: stage.url("photos/2"))
        }
        try await stage.say("download to memory:  \(size), \(PeakMemory.text(dataGrowth))")
        if let downloadGrowth {
            let limit = Int64(DemoPhoto.byteCount / 2)
            try stage.expect(downloadGrowth < limit, "a download needs less memory than half the size of the photo")
            try await stage.say("(both include the memory of the server, which runs in the same process)")
        }

        let original = try Data(contentsOf: stage.folder.file(UploadChapter.fileName))
        try stage.expect(try Data(contentsOf: file) == original, "the downloaded file equals the uploaded one")
        try stage.expect(reply.0 == original, "the download to memory equals the uploaded file")
        try await stage.say("both equal the uploaded file, byte for byte")
    }
}

/// Bytes that look random and are the same every time.
enum DemoPhoto {
    static let byteCount = 13_100_000

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

    /// FNV-1a, over words of eight bytes.
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

/// Measures the growth of this process's memory, on Linux.
enum PeakMemory {
    /// Runs `body`, and returns the largest growth in bytes, which is `nil` if the system does not report it.
    static func growth<Value>(during body: () async throws -> Value) async throws -> (Value, growth: Int64?) {
        // Writing 5 to this file resets the peak to the current use; see proc(5).
        let isReset = (try? Data("5".utf8).write(to: URL(filePath: "/proc/self/clear_refs"))) != nil
        let before = Self.value(of: "VmRSS")
        let value = try await body()
        guard isReset, let before, let peak = Self.value(of: "VmHWM") else { return (value, nil) }
        return (value, max(0, peak - before))
    }

    static func text(_ growth: Int64?) -> String {
        growth.map { "\(NumberFormat.bytes($0)) of memory at most" } ?? "memory not measured on this system"
    }

    private static func value(of name: String) -> Int64? {
        guard let data = try? Data(contentsOf: URL(filePath: "/proc/self/status")) else { return nil }
        let lines = String(decoding: data, as: UTF8.self).split(separator: "\n")
        let line = lines.first { $0.hasPrefix("\(name):") }
        return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int64($0) }.map { $0 * 1024 }
    }
}
