// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Foundation
import Tern
import TestSupport
import Testing

/// Tests the cache against servers of other projects.
@Suite("Caching: nginx and httpbin", .hangLimit)
struct CachingServersTests {
    enum Place: CaseIterable, Sendable {
        case memory, disk
    }

    /// Runs a test with a client that has an empty cache.
    private static func withClient(_ place: Place, _ body: (Client) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "tern-test-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        var configuration = Client.Configuration.patient
        configuration.cache = place == .memory ? MemoryCacheStore() : DiskCacheStore(directory: folder)
        try await body(Client(configuration: configuration))
    }

    @Test(arguments: Place.allCases)
    func `an entity tag of httpbin is confirmed`(_ place: Place) async throws {
        let bin = try await HTTPBin.shared
        try await Self.withClient(place) { client in
            let request = Request(.get, bin.url("/etag/tern"))
            let (first, response) = try await client.data(for: request)
            #expect(response.cacheStatus == .network && response[.eTag] == "tern")
            let (again, confirmed) = try await client.data(for: request)
            guard case .revalidated = confirmed.cacheStatus else {
                Issue.record("\(confirmed.cacheStatus)")
                return
            }
            #expect(again == first && confirmed.statusCode == 200)
            let own = try await client.data(for: request.header(.ifNoneMatch, "tern")).1
            #expect(own.statusCode == 304 && own.cacheStatus == .network)
        }
    }

    @Test(arguments: Place.allCases)
    func `httpbin's validators are confirmed, and its max-age is believed`(_ place: Place) async throws {
        let bin = try await HTTPBin.shared
        try await Self.withClient(place) { client in
            // The body names the fields of the request, so it would show a conditional request that the server did not
            // answer with 304.
            let conditional = Request(.get, bin.url("/cache"))
            let first = try await client.data(for: conditional).0
            let (again, confirmed) = try await client.data(for: conditional.cache(.revalidate))
            expectEqual(again, first)
            guard case .revalidated = confirmed.cacheStatus else {
                Issue.record("\(confirmed.cacheStatus)")
                return
            }
            let fresh = Request(.get, bin.url("/cache/86400"))
            let once = try await client.data(for: fresh).0
            let (twice, cached) = try await client.data(for: fresh)
            guard case .cached = cached.cacheStatus else {
                Issue.record("\(cached.cacheStatus)")
                return
            }
            #expect(twice == once && cached[.cacheControl] == "public, max-age=86400")
            try await expectEqual(client.data(for: fresh.cache(.onlyCached)).0, once)
        }
    }

    @Test(arguments: Place.allCases)
    func `what says nothing is not kept, and compressed content is`(_ place: Place) async throws {
        let bin = try await HTTPBin.shared
        try await Self.withClient(place) { client in
            for _ in 0..<2 {
                let (data, response) = try await client.data(for: Request(.get, bin.url("/gzip")))
                #expect(
                    response.cacheStatus == .network
                        && String(decoding: data, as: UTF8.self).contains("\"gzipped\": true")
                )
            }
            let fields = bin.url("/response-headers?Cache-Control=max-age%3D86400&Vary=Accept-Encoding")
            let first = try await client.data(for: Request(.get, fields)).0
            let (again, response) = try await client.data(for: Request(.get, fields))
            guard case .cached = response.cacheStatus else {
                Issue.record("\(response.cacheStatus)")
                return
            }
            expectEqual(again, first)
        }
    }

    @Test(arguments: Place.allCases, ["/hello.txt", "/packed/lines.txt", "/photo", "/empty.txt"])
    func `a file of nginx is fresh for a tenth of its age, or confirmed`(_ place: Place, _ path: String) async throws {
        let nginx = try await Nginx.shared
        let folder = FileManager.default.temporaryDirectory.appending(path: "tern-test-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        let client = nginx.makeClient {
            $0.cache =
                place == .memory
                ? MemoryCacheStore(maximumByteCount: 256 << 20)
                : DiskCacheStore(directory: folder)
        }
        let request = Request(.get, nginx.url(.http, path))
        let first = try await client.data(for: request).0
        try expectEqual(first, nginx.content(path.replacing("/packed", with: "")))
        let (again, confirmed) = try await client.data(for: request.cache(.revalidate))
        expectEqual(again, first)
        guard case .revalidated = confirmed.cacheStatus else {
            Issue.record("\(confirmed.cacheStatus)")
            return
        }
        #expect(confirmed.statusCode == 200)
        let (location, _) = try await client.download(from: request.url)
        defer { try? FileManager.default.removeItem(at: location) }
        try expectEqual(Data(contentsOf: location), first)
    }

    @Test func `a file that is put anew is not what was kept`() async throws {
        let nginx = try await Nginx.shared
        let client = nginx.makeClient { $0.cache = MemoryCacheStore() }
        let url = nginx.url(.http, "/uploads/cached-\(UUID()).txt")
        _ = try await client.data(for: Request(.put, url).body(data: Data("old".utf8)))
        #expect(try await client.data(for: Request(.get, url)).0 == Data("old".utf8))
        _ = try await client.data(for: Request(.put, url).body(data: Data("newer".utf8)))
        let (data, response) = try await client.data(for: Request(.get, url))
        #expect(data == Data("newer".utf8) && response.cacheStatus == .network)
    }
}
