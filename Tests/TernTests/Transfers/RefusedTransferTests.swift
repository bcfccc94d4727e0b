// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import Tern
import TernErrors
import TernFoundation
import TernTesting
import TestSupport
import Testing

@Suite("A durable download that a server refuses", .hangLimit)
struct RefusedTransferTests {
    /// The rules of the client, with and without one that refuses a status before the download sees it.
    static let rules: [[ValidationRule]?] = [nil, [.success]]

    private func settings(_ rules: [ValidationRule]?) -> Client.Configuration {
        var configuration = Client.Configuration()
        configuration.timeouts = .none
        configuration.validation = rules
        return configuration
    }

    @Test(arguments: rules)
    func `another status ends the call, and the error has the body`(rules: [ValidationRule]?) async throws {
        let scene = try TransferScene(.status(.notFound, body: "gone"), configuration: self.settings(rules))
        let error = await scene.failure(TransferScene.url, .immediate)
        guard case .validationFailed(let refusal, let context)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(refusal.rule == .status(404))
        #expect(refusal.body == Data("gone".utf8))
        #expect(refusal.isBodyComplete)
        #expect(context.response?.status == .notFound)
        #expect(context.phase == .validate)
        #expect(scene.requests.count == 1)
        #expect(try scene.folder.names == [])
    }

    @Test func `the error has only the beginning of a long body`() async throws {
        var configuration = self.settings(nil)
        configuration.maximumErrorBodyByteCount = 10
        let scene = try TransferScene(.status(.notFound, body: "0123456789abc"), configuration: configuration)
        guard case .validationFailed(let refusal, _)? = await scene.failure() else {
            Issue.record("the call must fail")
            return
        }
        #expect(refusal.body == Data("0123456789".utf8))
        #expect(!refusal.isBodyComplete)
    }

    @Test(arguments: rules)
    func `the bytes so far stay, and a later call continues`(rules: [ValidationRule]?) async throws {
        let folder = try await TransferScene.interrupted(after: 40)
        let scene = try TransferScene(.status(.forbidden), in: folder, configuration: self.settings(rules))
        #expect(await scene.fault("\(TransferScene.url)?sig=old", .immediate) == .validationFailed(.status(403)))
        try scene.expectUnfinished(40)
        #expect(try await scene.download("\(TransferScene.url)?sig=new").resumedByteCount == 40)
        scene.expectComplete()
        #expect(scene.ranges == ["bytes=40-", "bytes=40-"])
    }

    @Test(arguments: [HTTPResponse.Status.noContent, .notModified, .init(code: 300)])
    func `a success without the content is not the file`(status: HTTPResponse.Status) async throws {
        let scene = try TransferScene(.status(status))
        #expect(await scene.fault() == .validationFailed(.status(status.code)))
        #expect(try scene.folder.names == [])
    }

    @Test(arguments: rules)
    func `503 is repeated after the time that the server asks for`(rules: [ValidationRule]?) async throws {
        let scene = try TransferScene(
            .cut(afterBodyByteCount: 40),
            .status(.serviceUnavailable, [.retryAfter: "37"]),
            configuration: self.settings(rules)
        )
        let calling = Task { try await scene.download() }
        try await scene.clock.waitForScheduled(in: .seconds(37))
        scene.clock.advance(by: .seconds(36))
        #expect(scene.requests.count == 2)
        scene.clock.advance(by: .seconds(1))
        #expect(try await calling.value.byteCount == 100)
        scene.expectComplete()
        #expect(scene.ranges == [nil, "bytes=40-", "bytes=40-"])
    }

    @Test(arguments: rules)
    func `the server's time is added to the delay of the policy`(rules: [ValidationRule]?) async throws {
        let scene = try TransferScene(
            .status(.tooManyRequests, [.retryAfter: "30"]),
            configuration: self.settings(rules)
        )
        let calling = Task { try await scene.download(TransferScene.url, .steady(.seconds(2))) }
        try await scene.clock.waitForScheduled(in: .seconds(32))
        scene.clock.advance(by: .seconds(32))
        #expect(try await calling.value.byteCount == 100)
    }

    @Test func `a server that asks for too much time ends the call`() async throws {
        let scene = try TransferScene(.status(.serviceUnavailable, [.retryAfter: "61"]))
        #expect(await scene.fault(TransferScene.url, .immediate) == .validationFailed(.status(503)))
        #expect(scene.requests.count == 1)
    }

    @Test(arguments: rules)
    func `500 five times ends the call, and the bytes so far stay`(rules: [ValidationRule]?) async throws {
        let folder = try await TransferScene.interrupted(after: 40)
        let failing = Conduct.status(.internalServerError, body: "oops")
        let scene = try TransferScene(
            failing,
            failing,
            failing,
            failing,
            failing,
            in: folder,
            configuration: self.settings(rules)
        )
        let error = await scene.failure(TransferScene.url, .immediate)
        #expect(error?.fault == .validationFailed(.status(500)))
        guard case .validationFailed(let refusal, _)? = error else { return }
        #expect(refusal.body == Data("oops".utf8))
        #expect(scene.requests.count == 5)
        try scene.expectUnfinished(40)
        #expect(try await scene.download().resumedByteCount == 40)
        scene.expectComplete()
    }

    @Test func `the policy says which statuses are repeated`() async throws {
        let scene = try TransferScene(.status(.notFound), .status(.serviceUnavailable))
        let policy = ResumptionPolicy(backoff: Backoff(initialDelay: .zero), statusCodes: [404])
        #expect(await scene.fault(TransferScene.url, policy) == .validationFailed(.status(503)))
        #expect(scene.requests.count == 2)
    }

    @Test func `another rule of the client ends the call`() async throws {
        let scene = try TransferScene(configuration: self.settings([.contentType("image/png")]))
        #expect(await scene.fault(TransferScene.url, .immediate) == .validationFailed(.contentType(nil)))
        #expect(scene.requests.count == 1)
        #expect(try scene.folder.names == [])
    }
}
