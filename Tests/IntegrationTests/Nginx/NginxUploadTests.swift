// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Foundation
import Synchronization
import Tern
import TestSupport
import Testing

@Suite("nginx: what is sent", .hangLimit)
struct NginxUploadTests {
    private func path() -> String { "/uploads/\(UUID().uuidString)" }

    @Test(arguments: Scheme.allCases)
    func `a file is stored as it is`(_ scheme: Scheme) async throws {
        let nginx = try await Nginx.shared
        let path = self.path()
        let photo = nginx.folder.appending(path: "files/photo")
        let (_, response) = try await nginx.makeClient()
            .upload(for: Request(.put, nginx.url(scheme, path)), fromFile: photo)
        #expect(response.status == .created)
        try expectEqual(nginx.content(path), nginx.content("/photo"))
    }

    @Test(arguments: Scheme.allCases, [0, 1, 65_536, 65_537, 3_000_000])
    func `data is stored as it is`(_ scheme: Scheme, byteCount: Int) async throws {
        let nginx = try await Nginx.shared
        let path = self.path()
        let data = try Data.random(byteCount: byteCount)
        let (_, response) = try await nginx.makeClient().upload(for: Request(.put, nginx.url(scheme, path)), from: data)
        #expect(response.status == .created)
        try expectEqual(nginx.content(path), data)
    }

    @Test(arguments: Scheme.allCases, [nil, 500_000])
    func `a stream is stored as it is, with a length and in chunks`(_ scheme: Scheme, length: Int64?) async throws {
        let nginx = try await Nginx.shared
        let path = self.path()
        let (_, response) = try await nginx.makeClient()
            .upload(
                for: Request(.put, nginx.url(scheme, path)),
                from: Pieces(count: 50, byteCount: 10_000),
                length: length
            )
        #expect(response.status == .created)
        let content = try nginx.content(path)
        expectEqual(content, Data((0..<50).flatMap { [UInt8](repeating: $0, count: 10_000) }))
    }

    @Test func `an uploaded file comes back`() async throws {
        let nginx = try await Nginx.shared
        let client = nginx.makeClient()
        let data = try Data.random(byteCount: 200_000)
        let path = self.path()
        let url = nginx.url(.http, path)
        _ = try await client.upload(for: Request(.put, url), from: data)
        let (copy, response) = try await client.data(for: Request(.get, url))
        expectEqual(copy, data)
        #expect(response.isConnectionReused)
        let (_, deletion) = try await client.data(for: Request(.delete, url))
        #expect(deletion.status == .noContent)
        let (_, last) = try await client.data(for: Request(.get, url))
        #expect(last.status == .notFound)
    }

    @Test(arguments: Scheme.allCases)
    func `413 before the end of a body of 50 MB is an answer`(_ scheme: Scheme) async throws {
        let nginx = try await Nginx.shared
        let folder = try TemporaryFolder()
        try Data().write(to: folder.file("large"))
        try folder.truncate("large", to: 50_000_000)
        let (_, response) = try await nginx.makeClient { $0.expectContinueThreshold = nil }
            .upload(for: Request(.put, nginx.url(scheme, "/small")), fromFile: folder.file("large"))
        #expect(response.status == .contentTooLarge)
    }

    @Test func `413 in place of 100 Continue is an answer, and nothing is sent`() async throws {
        let nginx = try await Nginx.shared
        let progress = Progress()
        let (_, response) = try await nginx.makeClient { $0.expectContinueTimeout = .patient }
            .upload(
                for: Request(.put, nginx.url(.http, "/small")),
                from: Data(count: 5_000_000),
                delegate: progress
            )
        #expect(response.status == .contentTooLarge)
        #expect(progress.sent.withLock(\.self) == [])
    }

    @Test(arguments: Scheme.allCases)
    func `the delegate is told how much was sent and received`(_ scheme: Scheme) async throws {
        let nginx = try await Nginx.shared
        let progress = Progress()
        let client = nginx.makeClient()
        let photo = nginx.folder.appending(path: "files/photo")
        let put = Request(.put, nginx.url(scheme, self.path()))
        _ = try await client.upload(for: put, fromFile: photo, delegate: progress)
        _ = try await client.data(for: Request(.get, nginx.url(scheme, "/photo")), delegate: progress)
        for counts in [progress.sent.withLock(\.self), progress.received.withLock(\.self).filter { $0 > 1000 }] {
            #expect(counts.last == Int64(Nginx.photoByteCount))
            #expect(counts == counts.sorted())
        }
    }
}

/// Records the progress of an upload.
private final class Progress: TaskDelegate {
    let sent = Mutex<[Int64]>([])
    let received = Mutex<[Int64]>([])

    func task(_ task: TaskInfo, didSendBodyData progress: TransferProgress) {
        self.sent.withLock { $0.append(progress.byteCount) }
    }

    func task(_ task: TaskInfo, didReceiveBodyData progress: TransferProgress) {
        self.received.withLock { $0.append(progress.byteCount) }
    }
}
