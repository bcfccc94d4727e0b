// SPDX-License-Identifier: Apache-2.0
// The code in the article on caching in Sources/Tern/Tern.docc/Articles.
// scripts/check snippets fails if the two copies differ.
import Foundation
import Tern

func caching(url: URL, folder: URL) async throws {
    // snippet.caching-client
    var configuration = Client.Configuration()
    configuration.cache = DiskCacheStore(directory: folder)
    let client = Client(configuration: configuration)

    let (data, response) = try await client.data(from: url)
    switch response.cacheStatus {
    case .network: print("from the server")
    case .cached(let age), .stale(let age), .revalidated(let age):
        print("from the cache, \(age) old")
    @unknown default: break
    }
    // snippet.end
    _ = data
    // snippet.caching-policy
    let reloaded = Request(url: url).cache(.reload)  // a button that reloads
    let offline = Request(url: url).cache(.onlyCached)  // or throws .notCached
    // One request for many cells of a list:
    let shared = Request(url: url).cache(.useProtocol, collapses: true)
    // snippet.end
    _ = (reloaded, offline, shared)
}
