// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import Tern
import TernAuthentication
import TernCookies
import TernErrors
import TernRequests
import TernTesting
import TernTransfers
import TestSupport
import Testing

/// Tests uploads for which the server names a URL at another origin: they must not see the caller's secrets.
@Suite("A resumable upload at another origin", .hangLimit)
struct UploadOriginTests {
    private static let secret = HTTPField.Name("X-Secret")

    /// The names of the fields that no other origin may see.
    private static let secrets = ["authorization", "cookie", "proxy-authorization", "x-secret", "x-unindexed"]

    /// Returns a request with everything that belongs to the first origin only.
    ///
    /// - Parameter hasToken: Whether `Authorization` is a field of the request. If not, a credential makes it.
    /// - Returns: The request.
    /// - Throws: An error if a name of a field is not valid.
    private static func request(hasToken: Bool = true) throws -> Request {
        let name = try #require(Self.secret)
        var request = Request(.post, UploadScene.url).sensitive(name)
        request.fields = [.cookie: "session=1", name: "secret", .userAgent: "tern"]
        if let host = HTTPField.Name("Host") { request.fields[host] = "virtual" }
        if let unindexed = HTTPField.Name("X-Unindexed") {
            var field = HTTPField(name: unindexed, value: "secret")
            field.indexingStrategy = .disallow
            request.fields.append(field)
        }
        if hasToken {
            request.fields[.authorization] = "Bearer token"
            return request
        }
        return request.credential(Credential(user: "albert", password: "einstein"), isPreemptive: true)
    }

    /// Makes the server name a URL for the upload, and close the connection after 40 bytes.
    private func plan(_ location: String, _ scene: UploadScene) {
        let cut = UploadFault.cut(afterByteCount: 40)
        if scene.uploadProtocol == .tus {
            scene.server.plan(UploadFault.none.with(\.location, location), cut)
        } else {
            scene.server.plan(cut.with(\.location, location))
        }
    }

    private func secretNames(_ request: ReceivedRequest) -> [String] {
        request.fields.map(\.name.canonicalName).filter { Self.secrets.contains($0) }
    }

    @Test(arguments: [true, false], UploadScene.protocols)
    func `no request there has a secret, and none has the caller's host`(
        hasToken: Bool,
        uploadProtocol: UploadProtocol
    ) async throws {
        for (location, origin) in [("http://other/uploads/x", "other"), ("http://test:81/uploads/x", "test:81")] {
            let scene = try UploadScene(by: uploadProtocol)
            self.plan(location, scene)
            try await scene.upload(try Self.request(hasToken: hasToken))
            scene.expectComplete()
            let first = try #require(scene.requests.first)
            #expect(first.hosts == ["virtual"])
            #expect(first.fields[.authorization]?.hasPrefix(hasToken ? "Bearer " : "Basic ") == true)
            #expect(scene.requests.count == (uploadProtocol == .tus ? 4 : 3))
            for request in scene.requests.dropFirst() {
                #expect(self.secretNames(request) == [], "\(request.method)")
                #expect(request.hosts == [origin], "\(request.method)")
                #expect(request.fields[.userAgent] == "tern", "\(request.method)")
            }
        }
    }

    @Test(arguments: UploadScene.protocols)
    func `a later call sends no secret there, either`(uploadProtocol: UploadProtocol) async throws {
        let scene = try UploadScene(by: uploadProtocol)
        self.plan("http://other/x", scene)
        #expect(await scene.failure(try Self.request(), scene.rules(.manual)) != nil)
        let count = scene.requests.count
        try await scene.later().upload(try Self.request())
        scene.expectComplete()
        #expect(scene.requests[count...].map(\.method) == [.head, .patch])
        #expect(scene.requests[count...].allSatisfy { self.secretNames($0) == [] && $0.hosts == ["other"] })
    }

    @Test(arguments: [true, false], UploadScene.protocols)
    func `requests at the same origin have the caller's fields`(
        hasToken: Bool,
        uploadProtocol: UploadProtocol
    ) async throws {
        let scene = try UploadScene(firstContent: .cut(afterByteCount: 40), by: uploadProtocol)
        try await scene.upload(try Self.request(hasToken: hasToken))
        scene.expectComplete()
        let scheme = hasToken ? "Bearer " : "Basic "
        #expect(scene.requests.allSatisfy { $0.fields[.authorization]?.hasPrefix(scheme) == true })
        #expect(scene.requests.allSatisfy { $0.hosts == ["virtual"] })
    }

    private struct Signer: RequestSigner {
        func fields(signing request: SignableRequest) -> HTTPFields { [.authorization: "Signature"] }
    }

    @Test(arguments: ["http://other/uploads/x", "/uploads/x"], UploadScene.protocols)
    func `requests there are not signed, and those at the first origin are`(
        location: String,
        uploadProtocol: UploadProtocol
    ) async throws {
        var configuration = Client.Configuration()
        configuration.signer = Signer()
        let scene = try UploadScene(by: uploadProtocol, configuration: configuration)
        self.plan(location, scene)
        try await scene.upload()
        scene.expectComplete()
        let isSigned = scene.requests.map { $0.fields[.authorization] == "Signature" }
        #expect(isSigned == scene.requests.map { $0.hosts == ["test"] })
        #expect(isSigned.first == true)
        #expect(isSigned.last == (location == "/uploads/x"))
    }

    @Test func `the fields about the caller's content stay with the request that creates the upload`() async throws {
        let scene = try UploadScene(.cut(afterByteCount: 40))
        var request = Request(.post, UploadScene.url)
        request.fields = [
            .contentType: "video/mp4", .contentDisposition: "attachment", .ifMatch: "\"v1\"",
        ]
        try await scene.upload(request)
        scene.expectComplete()
        #expect(scene.requests.map { $0.fields[.contentType] } == ["video/mp4", nil, "application/partial-upload"])
        #expect(scene.requests.map { $0.fields[.contentDisposition] } == ["attachment", nil, nil])
        #expect(scene.requests.map { $0.fields[.ifMatch] } == ["\"v1\"", nil, nil])
    }

    @Test(arguments: UploadScene.protocols)
    func `the cookies of the other origin are used there`(uploadProtocol: UploadProtocol) async throws {
        let store = MemoryCookieStore()
        var configuration = Client.Configuration()
        configuration.cookieStore = store
        let scene = try UploadScene(by: uploadProtocol, configuration: configuration)
        scene.server.plan(
            .respond(.response(fields: [.setCookie: "a=test"])),
            .respond(.response(fields: [.setCookie: "b=other"]))
        )
        for url in ["http://test/", "http://other/"] { _ = try await scene.client.data(for: Request(.get, url)) }
        self.plan("http://other/x", scene)
        try await scene.upload()
        scene.expectComplete()
        let cookies = scene.requests.dropFirst(2).map { $0.fields[.cookie] }
        #expect(cookies == ["a=test"] + Array(repeating: "b=other", count: uploadProtocol == .tus ? 3 : 2))
    }

    // MARK: URLs that are refused

    @Test(.http1Only("starts TLS"))
    func `a URL of another server without TLS is refused by tus after one with TLS`() async throws {
        let scene = try UploadScene(UploadFault.none.with(\.location, "http://other/uploads/1"), by: .tus)
        #expect(await scene.fault(Request(.post, "https://test/files")) == .violation)
        #expect(scene.methods == [.post])
        #expect(try scene.folder.names == [UploadScene.file])
    }

    @Test(.http1Only("starts TLS"))
    func `a URL of another server without TLS in a 104 is ignored after one with TLS`() async throws {
        let scene = try UploadScene(.cut(afterByteCount: 40).with(\.location, "http://other/uploads/1"))
        #expect(await scene.failure(Request(.post, "https://test/files"))?.isRetryable == true)
        #expect(scene.methods == [.post])
        #expect(try scene.folder.names == [UploadScene.file])
    }

    @Test(arguments: ["ftp://test/x", "http://", "javascript:x", "http://test/" + String(repeating: "x", count: 8000)])
    func `a URL that cannot be used is refused by tus, and ignored in a 104`(location: String) async throws {
        let tus = try UploadScene(UploadFault.none.with(\.location, location), by: .tus)
        #expect(await tus.fault() == .violation)
        #expect(try tus.folder.names == [UploadScene.file])
        let draft = try UploadScene(UploadFault.none.with(\.location, location))
        #expect(try await draft.upload().response?.statusCode == 201)
        draft.expectComplete()
    }
}

extension Fault {
    /// The server broke a rule of the protocol.
    static let violation = Fault.protocolViolation("Resumable Uploads for HTTP, or tus 1.0.0")
}
