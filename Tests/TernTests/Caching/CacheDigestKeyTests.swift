// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Crypto
import HTTPTypes
import Tern
import TernFoundation
import TernTesting
import TestSupport
import Testing

@Suite("Cache: digests of credentials", .hangLimit)
struct CacheDigestKeyTests {
    private static let request = Request(url: testURL).header(.authorization, "Bearer hunter2")

    private static func scene(_ store: any CacheStore) -> CacheScene {
        CacheScene(store: store) { number, _ in
            .response(fields: [.cacheControl: "max-age=60, private"], body: "\(number)")
        }
    }

    /// Returns the stored digest of the request's credential.
    private static func digest(_ store: any CacheStore) async throws -> String {
        let entry = try #require(try await store.entries(for: CacheKey(testURL)).first)
        let nomination = try #require(entry.response.variant.nominations.first { $0.name == "authorization" })
        return try #require(nomination.digest)
    }

    private static func mode(_ file: URL) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
    }

    /// A hash that anyone can compute who knows or guesses the credential.
    private static let hash = SHA256.hash(data: Array("Bearer hunter2".utf8)).map { byte in
        let digits = String(byte, radix: 16)
        return digits.count == 1 ? "0" + digits : digits
    }.joined()

    @Test func `a digest cannot be made without the key of the folder`() async throws {
        try await withAbsentFolder { first in
            try await withAbsentFolder { second in
                var digests: Set<String> = [Self.hash]
                for folder in [first, second] {
                    let store = DiskCacheStore(directory: folder)
                    #expect(try await Self.scene(store).get(Self.request) == "200 1 network")
                    digests.insert(try await Self.digest(store))
                }
                #expect(digests.count == 3)
            }
        }
    }

    @Test func `nor one of a store in memory`() async throws {
        let store = MemoryCacheStore()
        let scene = Self.scene(store)
        #expect(try await scene.get(Self.request) == "200 1 network")
        #expect(try await Self.digest(store) != Self.hash)
        // The digest is the same in every client of the process.
        #expect(try await Self.scene(store).get(Self.request) == "200 1 cached 0")
    }

    @Test func `the key lasts as long as the folder, and is its owner's alone`() async throws {
        try await withAbsentFolder { folder in
            #expect(try await Self.scene(DiskCacheStore(directory: folder)).get(Self.request) == "200 1 network")
            #expect(try Self.mode(folder.appendingPathComponent("key")) == 0o600)
            let again = Self.scene(DiskCacheStore(directory: folder))
            #expect(try await again.get(Self.request) == "200 1 cached 0")
            #expect(try await again.get(Request(url: testURL).header(.authorization, "Bearer x")) == "200 1 network")
            try await again.store.removeAll()
            #expect(try await again.get(Self.request) == "200 2 network")
            #expect(try await Self.scene(DiskCacheStore(directory: folder)).get(Self.request) == "200 2 cached 0")
        }
    }

    @Test(arguments: [nil, 0o640, 0o604])
    func `a key that is lost, or that others may know, costs what was kept with it`(_ mode: Int?) async throws {
        try await withAbsentFolder { folder in
            #expect(try await Self.scene(DiskCacheStore(directory: folder)).get(Self.request) == "200 1 network")
            let key = folder.appendingPathComponent("key")
            let before = try Data(contentsOf: key)
            if let mode {
                try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: key.path)
            } else {
                try FileManager.default.removeItem(at: key)
            }
            let again = Self.scene(DiskCacheStore(directory: folder))
            #expect(try await again.get(Self.request) == "200 1 network")
            #expect(try await again.get(Self.request) == "200 1 cached 0")
            #expect(try Data(contentsOf: key) != before)
            #expect(try Self.mode(key) == 0o600)
        }
    }
}
