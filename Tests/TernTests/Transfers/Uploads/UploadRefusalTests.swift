// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import Tern
import TernErrors
import TernFoundation
import TernRequests
import TernTesting
import TernTransfers
import TestSupport
import Testing

@Suite("A resumable upload that the server refuses", .hangLimit)
struct UploadRefusalTests {
    private func refusal(_ error: ClientError?) -> ValidationFailure? {
        guard case .validationFailed(let failure, _)? = error else { return nil }
        return failure
    }

    @Test(arguments: [400, 403, 405, 422, 501], UploadScene.protocols)
    func `the error has the body of the refused PATCH, and the record stays`(
        status: Int,
        uploadProtocol: UploadProtocol
    ) async throws {
        let scene = try await UploadScene.interrupted(after: 40, by: uploadProtocol)
        scene.server.plan(.none, .respond(.response(.init(code: status), body: "why")))
        let error = await scene.failure()
        #expect(error?.fault == .validationFailed(.status(status)))
        #expect(error?.context.response?.status.code == status)
        let refusal = try #require(self.refusal(error))
        #expect(String(decoding: refusal.body, as: UTF8.self) == "why")
        #expect(refusal.isBodyComplete)
        scene.expectUnfinished()
        #expect(try await scene.later().upload().resumedByteCount == 40)
        scene.expectComplete()
    }

    @Test func `the error keeps only the beginning of a long body`() async throws {
        var configuration = Client.Configuration()
        configuration.maximumErrorBodyByteCount = 10
        let scene = try await UploadScene.interrupted(after: 40).later(configuration: configuration)
        scene.server.plan(.none, .respond(.response(.forbidden, body: "0123456789abcdef")))
        let refusal = try #require(self.refusal(await scene.failure()))
        #expect(String(decoding: refusal.body, as: UTF8.self) == "0123456789")
        #expect(!refusal.isBodyComplete)
        scene.expectUnfinished()
    }

    @Test func `a body that describes a problem is in the error, too`() async throws {
        let problem = "{\"type\":\"https://iana.org/assignments/http-problem-types#other\"}"
        let scene = try await UploadScene.interrupted(after: 40)
        let fields: HTTPFields = [.contentType: "application/problem+json"]
        scene.server.plan(.none, .respond(.response(.forbidden, fields: fields, body: problem)))
        let refusal = try #require(self.refusal(await scene.failure()))
        #expect(String(decoding: refusal.body, as: UTF8.self) == problem)
    }

    @Test func `a problem that does not end delays the error no longer than a second`() async throws {
        let scene = try await UploadScene.interrupted(after: 40)
        let head = "HTTP/1.1 403 Forbidden\r\nContent-Type: application/problem+json\r\nContent-Length: 9\r\n\r\n"
        scene.server.plan(.none, .respond(.raw("\(head){", ending: .stall)))
        async let failing = scene.failure()
        try await scene.clock.waitForScheduled(in: .seconds(1))
        scene.clock.advance(by: .seconds(1))
        let refusal = try #require(self.refusal(await failing))
        #expect(refusal.rule == .status(403))
        #expect(refusal.body == Data("{".utf8) && !refusal.isBodyComplete)
    }

    @Test func `a problem of the draft makes the client ask for the offset`() async throws {
        let problem =
            "{\"type\":\"https://iana.org/assignments/http-problem-types#mismatching-upload-offset\","
            + "\"expected-offset\":50,\"provided-offset\":40}"
        let scene = try await UploadScene.interrupted(after: 40)
        let count = scene.requests.count
        let fields: HTTPFields = [.contentType: "application/problem+json"]
        scene.server.plan(.none, .respond(.response(.conflict, fields: fields, body: problem)))
        try await scene.upload()
        scene.expectComplete()
        #expect(scene.methods[count...] == [.head, .patch, .head, .patch])
    }

    // MARK: The client's own rules

    private static var strict: Client.Configuration {
        var configuration = Client.Configuration()
        configuration.validation = [.success]
        return configuration
    }

    @Test(arguments: [400, 404, 409, 422, 503])
    func `an answer that the client's rules refuse is the error`(status: Int) async throws {
        let folder = try TemporaryFolder()
        try Data(RangeServer.content(100)).write(to: folder.file(UploadScene.file))
        let server = UploadServer(status: .init(code: status), body: "why")
        let scene = UploadScene(server, in: folder, configuration: Self.strict)
        let error = await scene.failure()
        #expect(error?.fault == .validationFailed(.status(status)))
        let refusal = try #require(self.refusal(error))
        #expect(String(decoding: refusal.body, as: UTF8.self) == "why")
        #expect(scene.methods == [.post])
        scene.expectComplete()
    }

    @Test(arguments: [400, 404, 409, 422])
    func `a plain answer that the client's rules refuse is the error`(status: Int) async throws {
        let scene = try UploadScene(
            .respond(.response(.init(code: status), body: "why")),
            configuration: Self.strict
        )
        #expect(await scene.fault() == .validationFailed(.status(status)))
        #expect(try scene.folder.names == [UploadScene.file])
    }

    @Test(arguments: UploadScene.protocols)
    func `statuses that the protocol uses do not end the call, although the client's rules refuse them`(
        uploadProtocol: UploadProtocol
    ) async throws {
        let interrupted = try await UploadScene.interrupted(after: 40, by: uploadProtocol)
        let scene = interrupted.later(configuration: Self.strict)
        let count = scene.requests.count
        scene.server.plan(
            .respond(.response(.serviceUnavailable)),
            .none,
            .respond(.response(.conflict, fields: [.tusResumable: "1.0.0"])),
            .none,
            .respond(.response(.badGateway))
        )
        let result = try await scene.upload()
        scene.expectComplete()
        #expect(result.resumedByteCount == 40)
        #expect(scene.methods[count...] == [.head, .head, .patch, .head, .patch, .head, .patch])
    }

    @Test(arguments: UploadScene.protocols)
    func `an upload that the server lost begins again, although the client's rules refuse 404`(
        uploadProtocol: UploadProtocol
    ) async throws {
        let interrupted = try await UploadScene.interrupted(after: 40, by: uploadProtocol)
        let scene = interrupted.later(configuration: Self.strict)
        scene.server.plan(.forget)
        let rules = scene.rules(.immediate) { $0.isRepeatable = true }
        let result = try await scene.upload(Request(.post, UploadScene.url), rules)
        scene.expectComplete()
        #expect(result.restart == .uploadLost)
        #expect(result.resumedByteCount == 0)
    }
}
