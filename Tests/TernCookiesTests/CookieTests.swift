// SPDX-License-Identifier: Apache-2.0
import TernCookies
import TernFoundation
import Testing

@Suite("Cookie")
struct CookieTests {
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)

    private static func cookie(
        _ name: String = "n",
        _ value: String = "v",
        domain: String = "example.com",
        path: String = "/",
        isHostOnly: Bool = true,
        isSecure: Bool = true
    ) throws(CookieViolation) -> Cookie {
        try Cookie(
            name: name,
            value: value,
            domain: domain,
            isHostOnly: isHostOnly,
            path: path,
            expiry: Self.now + 60,
            isSecure: isSecure,
            creation: Self.now
        )
    }

    static let refused: [(name: String, value: String, violation: CookieViolation)] = [
        ("", "", .empty), ("n", "a;b", .separator), ("n;", "v", .separator), ("n=m", "v", .separator),
        (" n", "v", .separator), ("n", "v ", .separator), ("", "a=b", .separator), ("n", "a\r\nb", .controlCharacter),
        ("n\0", "v", .controlCharacter), ("", "__Host-x", .disguisedPrefix),
        ("n", String(repeating: "v", count: 4096), .tooLong),
    ]

    @Test(arguments: refused)
    func `what no server could have sent is refused`(name: String, value: String, violation: CookieViolation) {
        #expect(throws: violation) { try Self.cookie(name, value) }
    }

    @Test(arguments: [
        "", ".example.com", "Example.com", "exämple.com", "a b", "a;b", String(repeating: "a", count: 256),
    ])
    func `a domain that is none is refused`(_ domain: String) {
        #expect(throws: CookieViolation.malformedDomain) { try Self.cookie(domain: domain) }
    }

    @Test func `a path that is none is refused`() {
        #expect(throws: CookieViolation.malformedPath) { try Self.cookie(path: "") }
        #expect(throws: CookieViolation.malformedPath) { try Self.cookie(path: "a") }
        #expect(throws: CookieViolation.malformedPath) { try Self.cookie(path: "/a;b") }
        #expect(throws: CookieViolation.tooLong) { try Self.cookie(path: "/" + String(repeating: "a", count: 1024)) }
    }

    @Test func `prefixes bind those who make cookies by hand`() {
        #expect(throws: CookieViolation.securePrefix) { try Self.cookie("__secure-n", isSecure: false) }
        #expect(throws: CookieViolation.hostPrefix) { try Self.cookie("__Host-n", isHostOnly: false) }
        #expect(throws: CookieViolation.hostPrefix) { try Self.cookie("__Host-n", path: "/a") }
        #expect(throws: Never.self) { try Self.cookie("__Host-n") }
    }

    @Test func `a jar takes it, but for no registry`() throws {
        var jar = CookieJar()
        try jar.insert(try Self.cookie(isHostOnly: false), at: Self.now)
        #expect(throws: CookieViolation.publicSuffix) {
            try jar.insert(try Self.cookie(domain: "co.uk", isHostOnly: false), at: Self.now)
        }
        let request = CookieRequest(host: "www.example.com", isSecure: true)
        #expect(jar.cookies(for: request, at: Self.now).map(\.value) == ["v"])
        jar.remove { $0.domain == "example.com" }
        #expect(jar.count == 0)
    }

    @Test func `no description shows a value`() throws {
        let cookie = try Self.cookie("name", "secret")
        var jar = CookieJar()
        try jar.insert(cookie, at: Self.now)
        let field = try SetCookie(parsing: ContiguousArray("name=secret; Path=/".utf8).span)
        for shown in ["\(cookie)", "\(field)", "\(jar)", "\(MemoryCookieStore(jar))"] {
            #expect(!shown.contains("secret"))
        }
        var dumped = ""
        dump((cookie, field, jar, MemoryCookieStore(jar)), to: &dumped)
        #expect(!dumped.contains("secret"))
        #expect("\(cookie)" == "name=*** for example.com/")
    }

    @Test func `a cookie is coded as JSON, and checked when it is read`() throws {
        let cookie = try Self.cookie("name", "sécret")
        let data = try JSONEncoder().encode(cookie)
        #expect(try JSONDecoder().decode(Cookie.self, from: data) == cookie)
        let text = String(decoding: data, as: UTF8.self)
        let changed = text.replacing("example.com", with: "Example.com")
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(Cookie.self, from: Data(changed.utf8)) }
    }

    @Test func `tasks share a store`() async throws {
        let store = MemoryCookieStore()
        let request = CookieRequest(host: "example.com", isSecure: true)
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<50 {
                group.addTask {
                    guard let field = try? SetCookie(parsing: ContiguousArray("n\(number)=v; Path=/".utf8).span) else {
                        return
                    }
                    await store.receive([field], from: request, at: Self.now)
                }
            }
        }
        #expect(store.cookies.count == 50)
        #expect(await store.cookies(for: request, at: Self.now).count == 50)
        store.update { $0.endSession() }
        #expect(store.cookies.isEmpty)
    }
}
