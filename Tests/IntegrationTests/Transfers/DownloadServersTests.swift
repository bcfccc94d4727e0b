// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Foundation
import Tern
import TestSupport
import Testing

@Suite("Downloads that continue: servers in other processes", .hangLimit)
struct DownloadServersTests {
    private static let content = Data((0..<5_000_000).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 11) })

    private let folder: TemporaryFolder
    private var file: URL { self.folder.file("file") }

    init() throws { self.folder = try TemporaryFolder() }

    /// Stores the content in Apache, and returns its URL.
    private func url(_ apache: Apache, modified date: Date) throws -> String {
        let name = "\(UUID().uuidString).bin"
        try apache.store(Self.content, name, modified: date)
        return apache.url(.http, .open, name)
    }

    private func download(
        _ url: String,
        _ count: Int = 1,
        by client: Client,
        delegate: (any TaskDelegate)? = nil
    ) async throws(ClientError) -> ResumedDownload {
        try await client.download(
            for: Request(.get, url),
            to: self.file,
            resuming: ResumptionPolicy(backoff: Backoff(initialDelay: .milliseconds(1))),
            maximumConcurrentRequestCount: count,
            delegate: delegate
        )
    }

    @Test(arguments: [1, 3])
    func `Apache: a call that was cancelled is continued`(count: Int) async throws {
        let apache = try await Apache.shared
        let url = try self.url(apache, modified: Date(timeIntervalSince1970: 1_700_000_000))
        let progress = ProgressDelegate()
        let calling = Task {
            try await self.download(url, count, by: Client(configuration: .patient), delegate: progress)
        }
        for await update in progress.received where update.byteCount > 0 { break }
        calling.cancel()
        let isComplete = (try? await calling.value) != nil
        let result = try await self.download(url, count, by: Client(configuration: .patient))
        expectEqual(try Data(contentsOf: self.file), Self.content)
        #expect(try self.folder.names == ["file"])
        #expect(result.restart == nil)
        #expect(isComplete || result.resumedByteCount > 0)
    }

    @Test func `Apache: a file that has just changed has a weak tag, and is not continued`() async throws {
        let apache = try await Apache.shared
        // The tag stays weak as long as the server's date is not later than that of the file.
        let url = try self.url(apache, modified: Date(timeIntervalSinceNow: 3600))
        let result = try await self.download(url, 3, by: Client(configuration: .patient))
        #expect(result.concurrentRequestCount == 1)
        expectEqual(try Data(contentsOf: self.file), Self.content)
        #expect(try self.folder.names == ["file"])
    }

    @Test(arguments: [1, 3])
    func `httpbin: a malformed tag means the whole file, also while the server throttles`(count: Int) async throws {
        let bin = try await HTTPBin.shared
        let result = try await self.download(
            bin.url("/range/20000?duration=1&chunk_size=1000"),
            count,
            by: Client(configuration: .patient)
        )
        let letters = Data((0..<20_000).map { UInt8(ascii: "a") + UInt8($0 % 26) })
        expectEqual(try Data(contentsOf: self.file), letters)
        #expect(try self.folder.names == ["file"])
        #expect(result.concurrentRequestCount == 1)
    }
}
