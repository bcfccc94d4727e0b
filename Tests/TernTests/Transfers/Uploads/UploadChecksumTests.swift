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

@Suite("An upload by tus with a hash of each part", .hangLimit)
struct UploadPartChecksumTests {
    private func rules(_ scene: UploadScene, _ checksum: HashAlgorithm = .sha1) -> UploadResumption {
        scene.rules(.immediate) { rules in
            rules.tus.checksum = checksum
            rules.maximumPartByteCount = 30
        }
    }

    @Test(arguments: HashAlgorithm.allCases)
    func `each part has the hash of its bytes`(checksum: HashAlgorithm) async throws {
        let scene = try UploadScene(by: .tus)
        try await scene.upload(Request(.post, UploadScene.url), self.rules(scene, checksum))
        scene.expectComplete()
        #expect(scene.contentByteCounts == [0, 30, 30, 30, 10])
        for request in scene.requests.dropFirst() {
            let value = try #require(request.fields[.uploadChecksum])
            #expect(value.hasPrefix("\(checksum) "))
            #expect(UploadServer.checksum(of: request.body, like: value) == value)
        }
        #expect(scene.requests.first?.fields[.uploadChecksum] == nil)
    }

    @Test func `a part that the server received with other bytes is sent again`() async throws {
        let damage = UploadFault.none.with(\.damages, true)
        let scene = try UploadScene(.none, .none, damage, by: .tus)
        let delegate = RecordingDelegate()
        try await scene.upload(Request(.post, UploadScene.url), self.rules(scene), delegate: delegate)
        scene.expectComplete()
        #expect(scene.methods == [.post, .patch, .patch, .head, .patch, .patch, .patch])
        #expect(scene.contentByteCounts == [0, 30, 30, 0, 30, 30, 10])
        let counts = delegate.sent.map(\.byteCount)
        #expect(counts == counts.sorted())
        #expect(counts.last == 100)
    }

    @Test func `parts that never arrive as they were sent end the call, and the record stays`() async throws {
        let scene = try UploadScene(.none, later: UploadFault.none.with(\.damages, true), by: .tus)
        #expect(await scene.fault(Request(.post, UploadScene.url), self.rules(scene)) == .uploadFailed(.damaged))
        #expect(scene.methods.count { $0 == .patch } == 4)
        scene.expectUnfinished()
        scene.server.update { $0.faults = Array(repeating: .none, count: 20)[...] }
        try await scene.later().upload()
        scene.expectComplete()
    }

    @Test func `460 to a part without a hash is a refusal`() async throws {
        let mismatch = HTTPResponse.Status(code: 460, reasonPhrase: "Checksum Mismatch")
        let scene = try UploadScene(.none, .respond(.response(mismatch)), by: .tus)
        #expect(await scene.fault() == .validationFailed(.status(460)))
        scene.expectUnfinished()
    }

    @Test func `a part with a hash that is cut is sent again as a whole`() async throws {
        let scene = try UploadScene(.none, .none, .cut(afterByteCount: 20), by: .tus)
        try await scene.upload(Request(.post, UploadScene.url), self.rules(scene))
        scene.expectComplete()
        #expect(scene.contentByteCounts == [0, 30, 20, 0, 30, 30, 10])
    }

    @Test func `a file that changes while its part is hashed ends the call`() async throws {
        let scene = try UploadScene(by: .tus)
        let change: @Sendable () async throws -> Void = { [scene] in
            try scene.overwrite(UploadScene.file, RangeServer.content(100, version: 2))
        }
        scene.server.plan(UploadFault.none.with(\.before, change))
        let fault = await scene.fault(Request(.post, UploadScene.url), self.rules(scene))
        #expect(fault == .uploadFailed(.fileChanged))
        #expect(scene.methods == [.post])
    }

    @Test func `the draft sends no hash`() async throws {
        let scene = try UploadScene()
        try await scene.upload(Request(.post, UploadScene.url), self.rules(scene))
        scene.expectComplete()
        #expect(scene.requests.allSatisfy { $0.fields[.uploadChecksum] == nil })
    }
}
