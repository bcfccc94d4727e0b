// SPDX-License-Identifier: Apache-2.0
import TernCookies
import TernFoundation
import Testing

@Suite("CookieFile")
struct CookieFileTests {
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)
    private static let request = CookieRequest(host: "www.example.com", isSecure: true, path: "/a/b")

    private static func jar() throws -> CookieJar {
        var jar = CookieJar()
        for text in [
            "a=1; Max-Age=60; Path=/", "b=\"x, y\"; Max-Age=60; Domain=example.com; Secure; HttpOnly; SameSite=Strict",
            "session=2; Path=/", "=nameless; Max-Age=60; Path=/", "ü=ö\\/; Max-Age=99; Path=/",
        ] {
            try jar.receive(try SetCookie(parsing: ContiguousArray(text.utf8).span), from: Self.request, at: Self.now)
        }
        try jar.receive(
            try SetCookie(
                parsing: ContiguousArray(Array("raw=".utf8) + [0xFF, 0x80] + Array("; Max-Age=60".utf8)).span
            ),
            from: Self.request,
            at: Self.now
        )
        return jar
    }

    private static func values(_ jar: CookieJar) -> [[UInt8]] { jar.cookies.map(\.valueBytes) }

    @Test func `what is written is read, without the session's cookies unless they are wanted`() throws {
        let jar = try Self.jar()
        let all = try CookieFile.decode(CookieFile.encode(jar, includesSession: true), at: Self.now)
        #expect(all.jar.cookies == jar.cookies)
        #expect(all.damagedLineCount == 0)
        let kept = try CookieFile.decode(CookieFile.encode(jar), at: Self.now)
        #expect(kept.jar.cookies == jar.cookies.filter { !$0.isSessionCookie })
        #expect(CookieFile.encode(all.jar, includesSession: true) == CookieFile.encode(jar, includesSession: true))
    }

    @Test(arguments: [
        "/" + String(repeating: "a", count: 1023), "/" + String(repeating: "a", count: 1024),
        "/" + String(repeating: "a/", count: 5000), "/a;b", "/;", "/%20", "/~!$&'()*+,=:@",
    ])
    func `whatever is kept can be read again, also where its path is the request's`(_ path: String) throws {
        let request = CookieRequest(host: "www.example.com", isSecure: true, path: path + "/x")
        var jar = CookieJar()
        let field = try SetCookie(parsing: ContiguousArray("a=1; Max-Age=60".utf8).span)
        if path.utf8.count > 1024 {
            #expect(throws: CookieViolation.tooLong) { try jar.receive(field, from: request, at: Self.now) }
        } else {
            try jar.receive(field, from: request, at: Self.now)
        }
        let content = try CookieFile.decode(CookieFile.encode(jar), at: Self.now)
        #expect(content.damagedLineCount == 0)
        #expect(content.jar.cookies == jar.cookies)
        #expect(jar.cookies.map(\.path) == (path.utf8.count > 1024 ? [] : [path]))
    }

    @Test func `what has ended is not read`() throws {
        let data = CookieFile.encode(try Self.jar())
        #expect(try CookieFile.decode(data, at: Self.now + 61).jar.cookies.map(\.name) == ["ü"])
    }

    @Test func `a file that was cut at any place gives only cookies that were there`() throws {
        let jar = try Self.jar()
        let data = CookieFile.encode(jar, includesSession: true)
        let whole = Set(jar.cookies)
        for length in 0...data.count {
            let content = try CookieFile.decode(data.prefix(length), at: Self.now)
            #expect(whole.isSuperset(of: content.jar.cookies), "cut at \(length)")
            #expect(content.damagedLineCount <= 1)
        }
    }

    @Test func `a file of which any byte was changed gives only cookies that were there`() throws {
        let jar = try Self.jar()
        let data = CookieFile.encode(jar, includesSession: true)
        let whole = Set(jar.cookies)
        for index in data.indices {
            for change in [0x01, 0x20, 0x80] as [UInt8] {
                var damaged = data
                damaged[index] ^= change
                guard damaged[index] != UInt8(ascii: "\n") else { continue }
                let content = try CookieFile.decode(damaged, at: Self.now)
                #expect(whole.isSuperset(of: content.jar.cookies), "changed at \(index)")
                #expect(content.jar.count >= jar.count - 2)
            }
        }
    }

    @Test(arguments: ["hello\n", "# Netscape HTTP Cookie File\n", "{}", "\u{0}\u{1}", "# Cookies\nx\n"])
    func `a file of something else is refused`(_ text: String) {
        #expect(throws: CookieFile.ForeignText.self) { try CookieFile.decode(Data(text.utf8), at: Self.now) }
    }

    @Test func `an empty file is an empty jar`() throws {
        #expect(try CookieFile.decode(Data(), at: Self.now).jar.count == 0)
    }

    @Test func `a forged line cannot bring what no server could`() throws {
        let text = String(decoding: CookieFile.encode(try Self.jar()), as: UTF8.self)
        let forged = text.replacing("\"domain\":\"example.com\"", with: "\"domain\":\"com\"")
        #expect(try CookieFile.decode(Data(forged.utf8), at: Self.now).damagedLineCount == 1)
    }
}
