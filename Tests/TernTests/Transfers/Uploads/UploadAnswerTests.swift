// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import Tern
import TernErrors
import TernRequests
import TernTesting
import TernTransfers
import TestSupport
import Testing

@Suite("The body of the answer to a resumable upload", .hangLimit)
struct UploadAnswerTests {
    private static let problem: HTTPFields = [.contentType: "application/problem+json"]

    @Test func `the answer that describes a problem is the call's answer with its whole body`() async throws {
        let problem = "{\"type\":\"about:blank\",\"title\":\"no\"}"
        let scene = try UploadScene(.respond(.response(.badRequest, fields: Self.problem, body: problem)))
        let result = try await scene.upload()
        #expect(result.response?.statusCode == 400)
        #expect(String(decoding: result.data, as: UTF8.self) == problem)
    }

    @Test(arguments: [nil, "application/problem+json"], [1000, 10_000, 1_000_000])
    func `a long answer is the call's answer with its whole body`(
        mediaType: String?,
        pieceByteCount: Int
    ) async throws {
        let body = String(repeating: "0123456789", count: 10_000)
        let fields: HTTPFields = mediaType.map { [.contentType: $0] } ?? [:]
        let scene = try UploadScene(
            .respond(.response(.badRequest, fields: fields, body: body)),
            plan: .accept(toClient: [.drip(bytesPerPiece: pieceByteCount)])
        )
        expectEqual([UInt8](try await scene.upload().data), [UInt8](body.utf8))
    }

    @Test func `the limits of bodies apply to those that describe a problem, too`() async throws {
        var configuration = Client.Configuration()
        (configuration.maximumBodyByteCount, configuration.maximumErrorBodyByteCount) = (5, 3)
        let long = UploadFault.respond(.response(.badRequest, fields: Self.problem, body: "{\"type\":\"about:blank\"}"))
        let plain = try UploadScene(long, configuration: configuration)
        #expect(await plain.fault() == .bodyTooLarge)
        let scene = try await UploadScene.interrupted(after: 40).later(configuration: configuration)
        scene.server.plan(.none, long)
        guard case .validationFailed(let refusal, _)? = await scene.failure() else {
            Issue.record("the call did not fail")
            return
        }
        #expect(String(decoding: refusal.body, as: UTF8.self) == "{\"t")
        #expect(!refusal.isBodyComplete)
    }

    @Test func `a negative limit of what an error keeps counts as 0`() async throws {
        var configuration = Client.Configuration()
        configuration.maximumErrorBodyByteCount = -1
        let scene = try await UploadScene.interrupted(after: 40).later(configuration: configuration)
        scene.server.plan(.none, .respond(.response(.badRequest, fields: Self.problem, body: "{}")))
        guard case .validationFailed(let refusal, _)? = await scene.failure() else {
            Issue.record("the call did not fail")
            return
        }
        #expect(refusal.body.isEmpty)
        #expect(!refusal.isBodyComplete)
    }

    @Test func `an answer that is longer than the limit is refused`() async throws {
        var configuration = Client.Configuration()
        configuration.maximumBodyByteCount = 5
        let scene = try UploadScene(configuration: configuration)
        #expect(await scene.fault() == .bodyTooLarge)
        #expect(scene.server.files.count == 1)
        #expect(try scene.folder.names == [UploadScene.file])
    }

    @Test(arguments: [40, 99])
    func `an answer that is cut in its body ends the call, and no byte is sent again`(byteCount: Int) async throws {
        let scene = try UploadScene(.cut(afterByteCount: byteCount))
        let head = "HTTP/1.1 201 Created\r\nUpload-Complete: ?1\r\nContent-Length: 9\r\n\r\nhalf"
        scene.server.plan(.cut(afterByteCount: byteCount), .none, .respond(.raw(head, ending: .close)))
        let error = await scene.failure()
        #expect(error?.fault == .truncated(received: 4, expected: 9))
        #expect(scene.methods == [.post, .head, .patch])
        #expect(try scene.folder.names == [UploadScene.file])
    }

    @Test func `a problem whose body has no length is the call's answer, unless it is too long`() async throws {
        let long = String(repeating: "0123456789", count: 7000)
        for (body, isKept) in [("{\"type\":\"about:blank\"}", true), (long, false)] {
            let response = ScriptedResponse.chunked([body], status: .badRequest, fields: Self.problem)
            let drip = ConnectionPlan.accept(toClient: [.drip(bytesPerPiece: 1000)])
            let scene = try UploadScene(.respond(response), plan: drip)
            if isKept {
                #expect(String(decoding: try await scene.upload().data, as: UTF8.self) == body)
            } else {
                let fault = await scene.fault()
                #expect(fault == .bodyTooLarge)
            }
            #expect(scene.methods == [.post])
            #expect(try scene.folder.names == [UploadScene.file])
        }
    }

    @Test func `a problem whose body is cut ends the call`() async throws {
        let head = "HTTP/1.1 400 Bad Request\r\nContent-Type: application/problem+json\r\nContent-Length: 9\r\n\r\n"
        let scene = try UploadScene(.respond(.raw("\(head)half", ending: .close)))
        let fault = await scene.fault()
        #expect(fault == .truncated(received: 4, expected: 9))
        #expect(try scene.folder.names == [UploadScene.file])
    }
}
