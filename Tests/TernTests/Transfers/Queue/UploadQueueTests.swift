// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import Tern
import TernErrors
import TernFoundation
import TernRequests
import TernTesting
@testable import TernTransferQueue
import TestSupport
import Testing

@Suite("A queue of uploads", .hangLimit)
struct UploadQueueTests {
    /// Checks that the server has processed each of some files once.
    private func expectProcessed(
        _ server: UploadServer,
        _ numbers: ClosedRange<Int>,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let files = Set(numbers.map { RangeServer.content(100, version: $0) })
        #expect(server.files.count == files.count, sourceLocation: sourceLocation)
        #expect(Set(server.files) == files, sourceLocation: sourceLocation)
    }

    @Test(arguments: UploadScene.protocols)
    func `many uploads end, and each file is processed once`(uploadProtocol: UploadProtocol) async throws {
        let server = UploadServer()
        let scene = try QueueScene(server)
        let queue = try await scene.queue()
        for number in 1...10 { try await queue.add(scene.upload(number, by: uploadProtocol)) }
        try await queue.runUntilIdle()
        #expect(queue.states == Array(repeating: .completed, count: 10))
        self.expectProcessed(server, 1...10)
        #expect(queue.transfers.allSatisfy { $0.progress == .test(100, 100) })
        #expect(scene.names.filter { $0.hasSuffix(".tern-upload") } == [])
    }

    @Test(arguments: UploadScene.protocols)
    func `an upload goes on in another process`(uploadProtocol: UploadProtocol) async throws {
        let server = UploadServer(firstContent: .stall(afterByteCount: 40), by: uploadProtocol)
        let scene = try QueueScene(server)
        var queue: TransferQueue? = try await scene.queue()
        try await queue?.add(scene.upload(1, by: uploadProtocol))
        let running = queue?.start()
        await server.waitForStops()
        // The record is written when the client has received the URL of the upload.
        try await eventually("\(scene.names)") {
            let record = try? Data(contentsOf: scene.directory.appendingPathComponent("1.tern-upload"))
            return record?.isEmpty == false
        }
        running?.cancel()
        try await running?.value
        #expect(queue?.states == [.waiting])
        queue = nil
        let later = try QueueScene(server, in: scene.folder)
        let next = try await later.queue()
        try await next.runUntilIdle()
        #expect(next.states == [.completed])
        self.expectProcessed(server, 1...1)
        #expect(server.requests.map(\.body.count).reduce(0, +) == 100)
    }

    // MARK: Uploads that may have been processed

    @Test func `an upload that may have been processed waits for consent`() async throws {
        let server = UploadServer([UploadFault.plain.with(\.losesAnswer, true), .plain])
        let scene = try QueueScene(server)
        let queue = try await scene.queue()
        let id = try await queue.add(scene.upload(1))
        try await queue.runUntilIdle()
        #expect(queue.states == [.failed(.possiblyProcessed)])
        #expect(queue.transfer(id)?.failure?.error?.isConnectivity == true)
        #expect(server.requests.count == 1)
        try await queue.resume(id)
        try await queue.runUntilIdle()
        #expect(queue.states == [.completed])
        #expect(server.files.count == 2)
    }

    /// The server has completed the upload and forgotten it, and its answer was lost.
    @Test func `a file that a server of tus may have processed is not sent again by itself`() async throws {
        let server = UploadServer([.none, .loseAnswer, .forget])
        let scene = try QueueScene(server)
        let queue = try await scene.queue()
        let id = try await queue.add(scene.upload(1, by: .tus))
        try await queue.runUntilIdle()
        #expect(queue.states == [.failed(.possiblyProcessed)])
        #expect(server.files.count == 1)
        try await queue.resume(id)
        try await queue.runUntilIdle()
        #expect(queue.states == [.completed])
        #expect(server.files.count == 2)
    }

    @Test func `an upload that may be repeated is sent again by itself`() async throws {
        let server = UploadServer([UploadFault.plain.with(\.losesAnswer, true), .plain])
        let scene = try QueueScene(server)
        let queue = try await scene.queue()
        try await queue.add(scene.upload(1, method: .put))
        try await queue.runUntilIdle()
        #expect(queue.states == [.completed])
        #expect(server.requests.count == 2)
    }

    @Test(arguments: [true, false])
    func `a request that was running when the process ended waits for consent`(isPost: Bool) async throws {
        let server = UploadServer([.stall(afterByteCount: 40).with(\.isPlain, true), .plain])
        let scene = try QueueScene(server)
        var queue: TransferQueue? = try await scene.queue()
        try await queue?.add(scene.upload(1, method: isPost ? .post : .put))
        let running = queue?.start()
        // A server of HTTP/1.1 without support for the draft says nothing while it receives the content.
        try await eventually("\(server.requests.count) requests") { server.requests.first?.body.count == 40 }
        // As after the end of the process: what the queue does from now on is not on the disk.
        let copy = try TemporaryFolder()
        try FileManager.default.copyItem(at: scene.directory, to: copy.file("queue"))
        running?.cancel()
        try await running?.value
        #expect(queue?.states == [isPost ? .failed(.possiblyProcessed) : .waiting])
        queue = nil

        let next = try await QueueScene(server, in: copy).queue()
        #expect(next.states == [isPost ? .failed(.possiblyProcessed) : .waiting])
        try await next.runUntilIdle()
        #expect(server.files.count == (isPost ? 0 : 1))
    }

    @Test(arguments: [408, 425, 429, 503])
    func `a status that says that nothing was processed is followed by another attempt`(status: Int) async throws {
        let server = UploadServer([.respond(.response(.init(code: status))), .plain])
        let scene = try QueueScene(server)
        let queue = try await scene.queue()
        try await queue.add(scene.upload(1))
        try await queue.runUntilIdle()
        #expect(queue.states == [.completed])
        #expect(server.files.count == 1)
    }

    @Test(arguments: [500, 502, 504])
    func `another status of a server that failed waits for consent`(status: Int) async throws {
        let fault = UploadFault.respond(.response(.init(code: status)))
        let server = UploadServer([fault, fault, .plain])
        let scene = try QueueScene(server)
        var configuration = QueueScene.immediate
        configuration.maximumRunningCount = 1
        let queue = try await scene.queue(configuration)
        try await queue.add(scene.upload(1))
        try await queue.add(scene.upload(2, method: .put))
        try await queue.runUntilIdle()
        #expect(queue.states == [.failed(.possiblyProcessed), .completed])
    }

    @Test func `a refusal is no success, and nothing is sent again`() async throws {
        let server = UploadServer(later: .respond(.response(.forbidden, body: "no")))
        let scene = try QueueScene(server)
        let queue = try await scene.queue()
        try await queue.add(scene.upload(1))
        try await queue.runUntilIdle()
        #expect(queue.states == [.failed(.refused)])
        #expect(server.requests.count == 1)
    }

    /// With 303, the server may have processed the file, and names another page; with 307, it has not.
    @Test(arguments: [303, 307])
    func `a redirect that cannot be followed waits for consent only if it may be an answer`(status: Int) async throws {
        let fault = UploadFault.respond(.response(.init(code: status), fields: [.location: "ftp://test/done"]))
        let server = UploadServer([fault])
        let scene = try QueueScene(server)
        let queue = try await scene.queue()
        try await queue.add(scene.upload(1))
        try await queue.runUntilIdle()
        #expect(queue.states == [.failed(status == 303 ? .possiblyProcessed : .protocol)])
        #expect(server.requests.count == 1)
    }

    @Test func `a failure after a redirect to another page waits for consent`() async throws {
        let page: HTTPFields = [.location: "http://other/done"]
        let server = UploadServer([.respond(.response(.seeOther, fields: page))])
        let scene = try QueueScene(server)
        scene.connector.plan(.accept(), .refuse(.notConnected(.noNetwork)))
        let queue = try await scene.queue()
        try await queue.add(scene.upload(1))
        try await queue.runUntilIdle()
        #expect(queue.states == [.failed(.possiblyProcessed)])
        #expect(server.requests.count == 1)
    }

    @Test(arguments: [404, 503])
    func `a refusal after a redirect to another page waits for consent`(status: Int) async throws {
        let page: HTTPFields = [.location: "/done"]
        let server = UploadServer([
            .respond(.response(.seeOther, fields: page)), .respond(.response(.init(code: status))),
        ])
        let scene = try QueueScene(server)
        let queue = try await scene.queue()
        try await queue.add(scene.upload(1))
        try await queue.runUntilIdle()
        #expect(queue.states == [.failed(.possiblyProcessed)])
        #expect(server.requests.map(\.method) == [.post, .get])
    }

    @Test func `an upload that the server has lost twice was not processed, and begins again`() async throws {
        let server = UploadServer([.none, .forget, .none, .forget])
        let scene = try QueueScene(server)
        let queue = try await scene.queue()
        let description = TransferDescription.upload(
            to: .test("test", "files"),
            fromFile: try scene.upload(1).file,
            options: .init(maximumPartByteCount: 30)
        )
        try await queue.add(description)
        try await queue.runUntilIdle()
        #expect(queue.states == [.completed])
        self.expectProcessed(server, 1...1)
    }

    @Test func `an attempt whose record is in use sends nothing, and needs no consent`() async throws {
        let server = UploadServer([.stall(afterByteCount: 40).with(\.isPlain, true)])
        let scene = try QueueScene(server)
        let queue = try await scene.queue()
        let description = try scene.upload(1)
        let id = try await queue.add(description)
        let record = scene.directory.appendingPathComponent("1.tern-upload")
        let other = Task {
            try await scene.client.upload(
                for: Request(.post, description.url),
                fromFile: description.file,
                resuming: UploadResumption(policy: .manual, record: record)
            )
        }
        await server.waitForStops()
        try await queue.runUntilIdle()
        #expect(queue.states == [.failed(.file)])
        #expect(server.requests.count == 1)
        other.cancel()
        _ = await other.result
        try await queue.resume(id)
        try await queue.runUntilIdle()
        #expect(queue.states == [.completed])
        self.expectProcessed(server, 1...1)
    }

    @Test(arguments: [403, 503])
    func `a refusal is no success, also if it breaks the client's rules`(status: Int) async throws {
        let server = UploadServer(later: .respond(.response(.init(code: status), body: "no")))
        let scene = try QueueScene(validation: [.success]) { try await server.serve($0) }
        let queue = try await scene.queue()
        try await queue.add(scene.upload(1))
        try await queue.runUntilIdle()
        #expect(queue.states == [.failed(status == 503 ? .serverUnavailable : .refused)])
        #expect(server.files.isEmpty)
    }

    /// The server has completed the upload, and no longer has it.
    @Test(arguments: [HTTPRequest.Method.post, .put])
    func `an upload that was complete before is completed in the next process, too`(
        method: HTTPRequest.Method
    ) async throws {
        let problem = "{\"type\":\"https://iana.org/assignments/http-problem-types#completed-upload\"}"
        let gone = ScriptedResponse.response(
            .gone,
            fields: [.contentType: "application/problem+json"],
            body: problem
        )
        let server = UploadServer([.cut(afterByteCount: 40), .none, .respond(gone)])
        let scene = try QueueScene(server)
        var queue: TransferQueue? = try await scene.queue()
        try await queue?.add(scene.upload(1, method: method))
        try await queue?.runUntilIdle()
        #expect(queue?.states == [.completed])
        queue = nil

        let later = try QueueScene(server, in: scene.folder)
        let next = try await later.queue()
        #expect(next.states == [.completed])
        #expect(later.names.filter { $0.hasSuffix(".tern-upload") } == [])
    }

    @Test func `a missing file fails for good`() async throws {
        let server = UploadServer()
        let scene = try QueueScene(server)
        let queue = try await scene.queue()
        let missing = TransferDescription.upload(to: .test("test", "files"), fromFile: scene.folder.file("none"))
        try await queue.add(missing)
        try await queue.runUntilIdle()
        #expect(queue.states == [.failed(.file)])
        #expect(server.requests.isEmpty)
    }

    // MARK: The delegate

    @Test func `the delegate gets the answer once`() async throws {
        let answers = Journal<ResumedUpload>()
        struct Delegate: TransferQueueDelegate {
            let answers: Journal<ResumedUpload>
            func transfer(_ transfer: QueuedTransfer, didUpload answer: ResumedUpload) async {
                self.answers.note(answer)
            }
        }
        let scene = try QueueScene(UploadServer())
        let queue = try await scene.queue(delegate: Delegate(answers: answers))
        try await queue.add(scene.upload(1))
        try await queue.runUntilIdle()
        try await queue.runUntilIdle()
        #expect(answers.all.map { String(decoding: $0.data, as: UTF8.self) } == ["stored"])
    }
}
