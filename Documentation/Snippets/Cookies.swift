// SPDX-License-Identifier: Apache-2.0
// The code in the articles in Sources/Tern/Tern.docc/Articles.
// scripts/check snippets fails if the two copies differ.
import Foundation
import Tern

func keepingCookies() async throws {
    // snippet.cookies-client
    var configuration = Client.Configuration()
    configuration.cookieStore = MemoryCookieStore()
    let client = Client(configuration: configuration)
    // snippet.end
    _ = client
}

func keepingCookiesInAFile(folder: URL) async throws {
    var configuration = Client.Configuration()
    // snippet.cookies-file
    let store = try await FileCookieStore(file: folder.appending(path: "cookies"))
    configuration.cookieStore = store
    let client = Client(configuration: configuration)
    // …
    try await store.flush()  // before the program ends
    // snippet.end
    _ = client
}

func otherCookies(_ client: Client, url: URL, page: URL, token: String) async throws {
    // snippet.cookies-request
    let without = Request(url: url).cookies(.never)
    let own = Request(url: url).cookies(.store(MemoryCookieStore()))
    // snippet.end
    _ = (without, own)
    // snippet.cookies-site
    let picture = Request(url: url).siteForCookies(page)
    let link = Request(url: url).siteForCookies(page, isNavigation: true)
    // snippet.end
    _ = (picture, link)
}

func signingOut(_ store: MemoryCookieStore, session: String) throws {
    // snippet.cookies-jar
    let cookie = try Cookie(
        name: "session",
        value: session,
        domain: "photos.example.com",
        creation: Date()
    )
    try store.update { jar in try jar.insert(cookie, at: Date()) }
    store.update { $0.remove { $0.domain == "photos.example.com" } }
    // snippet.end
}
