// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Crypto
import HTTPTypes
import Tern
import TernErrors
import TernFoundation
import TernRequests
import TernTesting
import TernTransfers
import TestSupport
import Testing

@Suite("An upload with a digest of the whole file", .hangLimit)
struct UploadDigestTests {
    private static let drafts: [UploadProtocol] = [.draft(.eight), .draft(.six)]
    private static let field = HTTPField.Name("Repr-Digest") ?? .contentType

    /// Returns the digest of bytes as the text of a field, computed without the client's code.
    private static func text(_ algorithm: HashAlgorithm, _ bytes: [UInt8]) -> String {
        let (key, digest) =
            switch algorithm {
            case .sha512: ("sha-512", Data(SHA512.hash(data: bytes)))
            case .sha1: ("sha", Data(Insecure.SHA1.hash(data: bytes)))
            case .md5: ("md5", Data(Insecure.MD5.hash(data: bytes)))
            default: ("sha-256", Data(SHA256.hash(data: bytes)))
            }
        return "\(key)=:\(digest.base64EncodedString()):"
    }

    private func rules(_ scene: UploadScene, _ algorithm: HashAlgorithm = .sha256) -> UploadResumption {
        scene.rules(.immediate) { $0.digest = algorithm }
    }

    private func digests(_ scene: UploadScene) -> [String?] { scene.requests.map { $0.fields[Self.field] } }

    @Test(arguments: drafts, HashAlgorithm.allCases)
    func `the request that creates the upload has it`(draft: UploadProtocol, algorithm: HashAlgorithm) async throws {
        let scene = try UploadScene(by: draft)
        var rules = self.rules(scene, algorithm)
        rules.maximumPartByteCount = 60
        try await scene.upload(Request(.post, UploadScene.url), rules)
        scene.expectComplete()
        #expect(scene.contentByteCounts == [60, 40])
        #expect(self.digests(scene) == [Self.text(algorithm, scene.content), nil])
    }

    @Test func `tus does not send it, and nor does the draft by default`() async throws {
        let tus = try UploadScene(by: .tus)
        try await tus.upload(Request(.post, UploadScene.url), self.rules(tus))
        tus.expectComplete()
        let draft = try UploadScene()
        try await draft.upload()
        draft.expectComplete()
        #expect((self.digests(tus) + self.digests(draft)).allSatisfy { $0 == nil })
    }

    @Test(arguments: [0, 1, 700_000])
    func `the file may have any length`(byteCount: Int) async throws {
        let scene = try UploadScene(byteCount: byteCount)
        try await scene.upload(Request(.post, UploadScene.url), self.rules(scene))
        scene.expectComplete()
        #expect(self.digests(scene) == [Self.text(.sha256, RangeServer.content(byteCount))])
    }

    @Test func `the record has it, and a later call does not send it again`() async throws {
        let scene = try UploadScene(.cut(afterByteCount: 40))
        var rules = self.rules(scene)
        rules.policy = .manual
        #expect(await scene.failure(Request(.post, UploadScene.url), rules) != nil)
        #expect(try scene.storedRecord().digest?.value == Array(SHA256.hash(data: scene.content)))
        let later = scene.later()
        try await later.upload(Request(.post, UploadScene.url), self.rules(later))
        later.expectComplete()
        #expect(self.digests(later) == [Self.text(.sha256, scene.content), nil, nil])
    }

    @Test func `an upload that is created again has it again`() async throws {
        let scene = try UploadScene(.quiet.with(\.losesAnswer, true))
        var rules = self.rules(scene)
        rules.isRepeatable = true
        try await scene.upload(Request(.post, UploadScene.url), rules)
        let text = Self.text(.sha256, scene.content)
        #expect(self.digests(scene) == [text, text])
    }

    @Test func `the caller's own field is sent as it is`() async throws {
        let scene = try UploadScene()
        let request = Request(.post, UploadScene.url).header("Repr-Digest", "sha-256=:AAAA:")
        try await scene.upload(request, self.rules(scene))
        #expect(self.digests(scene) == ["sha-256=:AAAA:"])
    }

    /// The file is sparse, and so long that no test would wait for its hash.
    @Test func `a call is cancelled while it reads the file`() async throws {
        let scene = try UploadScene()
        try scene.folder.truncate(UploadScene.file, to: 1 << 43)
        let rules = self.rules(scene)
        let calling = Task { try await scene.upload(Request(.post, UploadScene.url), rules) }
        // The file of the record exists from the beginning of a call, and the file is read after that.
        try await eventually("the beginning of the call") { try scene.folder.names.count == 2 }
        calling.cancel()
        #expect(await scene.error(of: calling)?.isCancellation == true)
        #expect(scene.requests.isEmpty)
        #expect(try scene.folder.names == [UploadScene.file])
    }

    @Test func `a file that cannot be read ends the call before its first request`() async throws {
        let scene = try UploadScene()
        try scene.folder.remove(UploadScene.file)
        #expect(await scene.fault(Request(.post, UploadScene.url), self.rules(scene)) == .uploadFailed(.fileNotFound))
        #expect(scene.requests.isEmpty)
    }
}
