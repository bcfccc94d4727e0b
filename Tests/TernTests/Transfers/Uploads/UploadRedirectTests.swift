// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import Tern
import TernAuthentication
import TernErrors
import TernRequests
import TernTesting
import TernTransfers
import TestSupport
import Testing

@Suite("Redirects and challenges of a resumable upload", .hangLimit)
struct UploadRedirectTests {
    private static func redirect(_ status: HTTPResponse.Status, _ location: String) -> UploadFault {
        .respond(.response(status, fields: [.location: location]))
    }

    // MARK: The request that creates the upload

    @Test(arguments: [HTTPResponse.Status.temporaryRedirect, .permanentRedirect], UploadScene.protocols)
    func `the request that creates the upload follows a redirect`(
        status: HTTPResponse.Status,
        uploadProtocol: UploadProtocol
    ) async throws {
        let cut = UploadFault.cut(afterByteCount: 40)
        let scene = try UploadScene(by: uploadProtocol)
        let moved = Self.redirect(status, "http://mirror/files")
        if uploadProtocol == .tus { scene.server.plan(moved, .none, cut) } else { scene.server.plan(moved, cut) }
        let delegate = RecordingDelegate()
        try await scene.upload(delegate: delegate)
        scene.expectComplete()
        // The relative Location of the upload belongs to the second server.
        let hosts: [String?] = scene.requests.map { $0.hosts.first }
        #expect(hosts.first == "test" && hosts.dropFirst().allSatisfy { $0 == "mirror" })
        #expect(scene.methods.filter { $0 == .post }.count == 2)
        #expect(delegate.events.contains(.redirected("http://mirror/files")))
        delegate.expectOneEnd()
    }

    @Test func `a later call continues an upload that was created after a redirect`() async throws {
        let scene = try UploadScene(Self.redirect(.temporaryRedirect, "/moved"), .cut(afterByteCount: 40))
        #expect(await scene.failure(Request(.post, UploadScene.url), scene.rules(.manual)) != nil)
        #expect(scene.requests.map(\.target) == ["/files", "/moved"])
        #expect(try await scene.later().upload().resumedByteCount == 40)
        scene.expectComplete()
    }

    @Test func `a redirect to GET is not followed by an upload of the draft`() async throws {
        let scene = try UploadScene(Self.redirect(.seeOther, "/done"), .respond(.response(body: "page")))
        let result = try await scene.upload()
        #expect(result.response?.statusCode == 200)
        #expect(String(decoding: result.data, as: UTF8.self) == "page")
        #expect(!result.isResumable)
        #expect(try scene.folder.names == [UploadScene.file])
    }

    @Test func `an error after a redirect to GET says that the upload was answered`() async throws {
        var configuration = Client.Configuration()
        configuration.validation = [.success]
        let scene = try UploadScene(
            Self.redirect(.seeOther, "/done"),
            .respond(.response(.notFound)),
            configuration: configuration
        )
        let error = await scene.failure(Request(.post, UploadScene.url), scene.rules(.manual))
        #expect(error?.fault == .validationFailed(.status(404)))
        #expect(error?.context.followsAnsweredRequest == true)
        #expect(error?.context.delivery == .unknown)
    }

    // MARK: Requests for the upload

    @Test(arguments: [HTTPResponse.Status.temporaryRedirect, .permanentRedirect], UploadScene.protocols)
    func `requests for the upload follow a redirect`(
        status: HTTPResponse.Status,
        uploadProtocol: UploadProtocol
    ) async throws {
        let scene = try await UploadScene.interrupted(after: 40, by: uploadProtocol)
        let count = scene.requests.count
        let moved = Self.redirect(status, "http://mirror/uploads/1")
        scene.server.plan(moved, .none, moved)
        var request = Request(.post, UploadScene.url)
        request.fields[.authorization] = "Bearer token"
        try await scene.upload(request)
        scene.expectComplete()
        let requests = scene.requests[count...]
        #expect(requests.first?.fields[.authorization] == "Bearer token")
        let there = requests.filter { $0.hosts == ["mirror"] }
        #expect(there.allSatisfy { $0.fields[.authorization] == nil })
        // After a permanent redirect, the client uses the new URL for all requests.
        let hosts = requests.map { $0.hosts.first }
        if status == .permanentRedirect {
            #expect(hosts == ["test", "mirror", "mirror", "mirror"])
        } else {
            #expect(hosts == ["test", "mirror", "test", "mirror"])
        }
        #expect(requests.map(\.method) == [.head, .head, .patch, .patch])
    }

    @Test(arguments: UploadScene.protocols)
    func `a server that redirects without end ends the call`(uploadProtocol: UploadProtocol) async throws {
        let scene = try await UploadScene.interrupted(after: 40, by: uploadProtocol)
        let count = scene.requests.count
        let moved = Self.redirect(.temporaryRedirect, "/uploads/1")
        scene.server.plan(moved, moved, moved, moved, moved, moved, moved, moved, moved, moved, moved)
        let other = UploadServer(later: moved)
        let lost = UploadScene(other, in: scene.folder, by: uploadProtocol)
        #expect(await lost.fault() == .violation)
        #expect(other.requests.count == 21)
        #expect(scene.requests.count == count)
        scene.expectUnfinished()
    }

    @Test(arguments: [301, 302, 303])
    func `another redirect of a request for the upload is refused`(status: Int) async throws {
        let scene = try await UploadScene.interrupted(after: 40)
        scene.server.plan(Self.redirect(.init(code: status), "/uploads/1"))
        #expect(await scene.fault() == .validationFailed(.status(status)))
        scene.expectUnfinished()
    }

    // MARK: Challenges

    private static func challenge(_ text: String) -> UploadFault {
        .respond(.response(.unauthorized, fields: [.wwwAuthenticate: text], body: "who are you?"))
    }

    private static let challenges = [
        "Basic realm=x", "Digest realm=\"x\", nonce=\"n\", qop=\"auth\", algorithm=SHA-256",
    ]

    @Test(arguments: Self.challenges, UploadScene.protocols)
    func `a challenge to the first request is answered`(
        challenge: String,
        uploadProtocol: UploadProtocol
    ) async throws {
        let scene = try UploadScene(Self.challenge(challenge), by: uploadProtocol)
        let delegate = RecordingDelegate { _ in .useCredential(Credential(user: "albert", password: "einstein")) }
        try await scene.upload(delegate: delegate)
        scene.expectComplete()
        #expect(scene.methods == (uploadProtocol == .tus ? [.post, .post, .patch] : [.post, .post]))
        let scheme = challenge.split(separator: " ")[0]
        #expect(scene.requests.dropFirst().first?.fields[.authorization]?.hasPrefix("\(scheme) ") == true)
        delegate.expectOneEnd()
    }

    @Test(arguments: Self.challenges, UploadScene.protocols)
    func `challenges to HEAD and PATCH are answered`(challenge: String, uploadProtocol: UploadProtocol) async throws {
        for faults in [[Self.challenge(challenge)], [.none, Self.challenge(challenge)]] {
            let scene = try await UploadScene.interrupted(after: 40, by: uploadProtocol)
            scene.server.update { $0.faults = faults[...] }
            let count = scene.requests.count
            let delegate = RecordingDelegate { _ in .useCredential(Credential(user: "albert", password: "einstein")) }
            let result = try await scene.upload(delegate: delegate)
            scene.expectComplete()
            #expect(result.resumedByteCount == 40)
            #expect(scene.requests.count == count + 3)
            let isHead = faults.count == 1
            #expect(scene.methods[count...] == (isHead ? [.head, .head, .patch] : [.head, .patch, .patch]))
            let counts = delegate.sent.map(\.byteCount)
            #expect(counts == counts.sorted() && counts.last == 100)
            delegate.expectOneEnd()
        }
    }

    @Test(arguments: UploadScene.protocols)
    func `a challenge without an answer ends the call, and the record stays`(
        uploadProtocol: UploadProtocol
    ) async throws {
        let scene = try await UploadScene.interrupted(after: 40, by: uploadProtocol)
        scene.server.plan(Self.challenge("Basic realm=x"))
        #expect(await scene.fault() == .validationFailed(.status(401)))
        scene.expectUnfinished()
        #expect(try await scene.later().upload().resumedByteCount == 40)
        scene.expectComplete()
    }
}
