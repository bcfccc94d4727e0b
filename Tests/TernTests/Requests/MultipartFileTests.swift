// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Foundation
import Tern
import TernTesting
import TestSupport
import Testing

@Suite("Forms with files", .hangLimit)
struct MultipartFileTests {
    private static let long = String(repeating: "0123456789abcdef", count: 50_000)

    private func form(_ folder: TemporaryFolder) throws -> Multipart {
        try folder.write(Self.long, to: "long")
        try folder.write("short", to: "short")
        return Multipart().field("a", "1").file("f", folder.file("long")).file("g", folder.file("short"), filename: "x")
    }

    private func request(_ form: Multipart) -> Request {
        var request = Request(.post, "http://test/").body(multipart: form)
        request.options.expectsContinue = false
        return request
    }

    @Test func `files are read while they are sent, and the length is announced`() async throws {
        let folder = try TemporaryFolder()
        let form = try self.form(folder)
        let scene = ClientScene { _ in .response() }
        #expect(try await scene.client.data(for: self.request(form)).1.statusCode == 200)
        let received = try #require(scene.server.requests.first)
        let whole = Multipart.Part(name: "f", data: Data(Self.long.utf8), filename: "long", contentType: form.type(1))
        let other = Multipart.Part(name: "g", data: Data("short".utf8), filename: "x", contentType: form.type(2))
        var inMemory = form
        inMemory.parts = [form.parts[0], whole, other]
        try expectEqual(received.body, inMemory.encode())
        #expect(received.fields[.contentLength] == "\(received.body.count)")
        #expect(received.fields[.contentType] == form.contentType)
    }

    @Test func `a redirect has the files sent again`() async throws {
        let folder = try TemporaryFolder()
        let form = try self.form(folder)
        let scene = ClientScene { request in
            request.target == "/" ? .raw("HTTP/1.1 307 T\r\nLocation: /b\r\nContent-Length: 0\r\n\r\n") : .response()
        }
        #expect(try await scene.client.data(for: self.request(form)).1.statusCode == 200)
        #expect(scene.server.requests.count == 2)
        try expectEqual(scene.server.requests.first?.body, #require(scene.server.requests.last).body)
    }

    @Test func `a file that is missing is reported before anything is sent`() async throws {
        let folder = try TemporaryFolder()
        let form = try self.form(folder).file("h", folder.file("missing")).file("i", folder.url)
        let scene = ClientScene { _ in .response() }
        let request = self.request(form)
        let error = await failure { () async throws(ClientError) in try await scene.client.data(for: request) }
        guard case .uploadFailed(.fileNotFound, let context)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(context.phase == .prepare)
        #expect(scene.server.requests.isEmpty)
    }

    /// The change to a file while the client sends the previous file.
    enum Change: CaseIterable {
        case vanishes, shrinks, grows

        var expected: UploadFailure { self == .vanishes ? .fileNotFound : .fileChanged }
    }

    private struct Meddler: TaskDelegate {
        let folder: TemporaryFolder
        let change: Change

        func task(_ task: TaskInfo, didSendBodyData progress: TransferProgress) {
            switch self.change {
            case .vanishes: try? FileManager.default.removeItem(at: self.folder.file("short"))
            case .shrinks: try? self.folder.truncate("short", to: 1)
            case .grows: try? self.folder.truncate("short", to: 100)
            }
        }
    }

    @Test(arguments: Change.allCases)
    func `a file that is another when its turn comes ends the call`(change: Change) async throws {
        let folder = try TemporaryFolder()
        let request = self.request(try self.form(folder))
        let scene = ClientScene { _ in .response() }
        let meddler = Meddler(folder: folder, change: change)
        let error = await failure { () async throws(ClientError) in
            try await scene.client.data(for: request, delegate: meddler)
        }
        guard case .uploadFailed(change.expected, _)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        try await scene.waitForNoExchange()
    }
}

extension Multipart {
    fileprivate func type(_ index: Int) -> String? { self.parts[index].contentType }
}
