// SPDX-License-Identifier: Apache-2.0
import TernCookies
import TernFoundation
import Testing

@Suite("RFC 6265bis, retrieval")
struct RetrievalConformance {
    static let hosts: [(text: String, url: String, isSent: Bool)] = [
        ("a=b; Path=/", "https://www.example.com/", true),
        ("a=b; Path=/", "https://example.com/", false),
        ("a=b; Path=/", "https://x.www.example.com/", false),
        ("a=b; Path=/; Domain=example.com", "https://www.example.com/", true),
        ("a=b; Path=/; Domain=example.com", "https://example.com/", true),
        ("a=b; Path=/; Domain=example.com", "https://x.y.example.com/", true),
        ("a=b; Path=/; Domain=example.com", "https://badexample.com/", false),
        ("a=b; Path=/; Domain=example.com", "https://example.com.evil.org/", false),
        ("a=b; Path=/; Domain=example.com", "https://example.org/", false),
    ]

    @Test(arguments: hosts)
    func `5.8.3, 5.1.3: the host decides`(text: String, url: String, isSent: Bool) {
        var scene = JarScene()
        scene.set(text)
        #expect(scene.sent(to: url) == (isSent ? "a=b" : ""))
    }

    @Test(arguments: ["https://10.0.0.1/", "https://::1/"])
    func `5.1.3: an address is itself alone`(_ url: String) {
        var scene = JarScene()
        scene.set("a=b; Path=/", from: url)
        #expect(scene.sent(to: url) == "a=b")
        #expect(scene.sent(to: "https://0.0.1/").isEmpty)
        #expect(scene.sent(to: "https://2.10.0.0.1/").isEmpty)
    }

    static let paths: [(path: String, url: String, isSent: Bool)] = [
        ("/", "", true), ("/", "/", true), ("/", "/a", true), ("/", "/a/b", true),
        ("/a", "/a", true), ("/a", "/a/", true), ("/a", "/a/b", true), ("/a", "/", false), ("/a", "/ab", false),
        ("/a", "/A", false), ("/a/", "/a", false), ("/a/", "/a/", true), ("/a/", "/a/b", true), ("/a/b", "/a", false),
        ("/%61", "/a", false), ("/a", "/a%2Fb", false),
    ]

    @Test(arguments: paths)
    func `5.8.3, 5.1.4: the path decides`(path: String, url: String, isSent: Bool) {
        var scene = JarScene()
        scene.set("a=b; Path=\(path)")
        #expect(scene.sent(to: "https://www.example.com\(url.isEmpty ? "/" : url)") == (isSent ? "a=b" : ""))
    }

    @Test(arguments: ["com", "co.uk", "github.io"])
    func `5.8.3 step 3: a domain that is a public suffix by now is not sent to, wherever the cookie was kept`(
        _ suffix: String
    ) throws {
        let line = "# Netscape HTTP Cookie File\n.\(suffix)\tTRUE\t/\tFALSE\t0\ta\tb\n"
        var jar = try CookieFile.decode(netscape: Data(line.utf8), at: JarScene().now).jar
        #expect(jar.cookies(for: JarScene.request("https://example.\(suffix)/"), at: JarScene().now).isEmpty)
    }

    @Test func `5.8.3: Secure means HTTPS only`() {
        var scene = JarScene()
        scene.set("a=b; Path=/; Secure")
        scene.set("c=d; Path=/")
        #expect(scene.sent(to: "https://www.example.com/") == "a=b; c=d")
        #expect(scene.sent(to: "http://www.example.com/") == "c=d")
    }

    @Test func `5.8.3: HttpOnly is sent with requests`() {
        var scene = JarScene()
        scene.set("a=b; Path=/; HttpOnly")
        #expect(scene.sent(to: "http://www.example.com/") == "a=b")
    }

    @Test func `5.8.3: SameSite by who caused the request`() {
        var scene = JarScene()
        scene.set("s=1; Path=/; SameSite=Strict")
        scene.set("l=1; Path=/; SameSite=Lax")
        scene.set("d=1; Path=/")
        scene.set("n=1; Path=/; SameSite=None; Secure")
        let url = "https://www.example.com/"
        #expect(scene.sent(to: url) == "s=1; l=1; d=1; n=1")
        #expect(scene.sent(to: url, .crossSiteNavigation(isSafe: true)) == "l=1; d=1; n=1")
        #expect(scene.sent(to: url, .crossSiteNavigation(isSafe: false)) == "n=1")
        #expect(scene.sent(to: url, .crossSite) == "n=1")
    }

    @Test func `5.8.3 step 4: longer paths first, then those that were made earlier`() {
        var scene = JarScene()
        scene.set("a=1; Path=/")
        scene.set("b=1; Path=/a/b")
        scene.set("c=1; Path=/a")
        scene.pass(1)
        scene.set("d=1; Path=/a; Domain=example.com")
        scene.set("e=1; Path=/")
        scene.pass(1)
        scene.set("a=2; Path=/")
        #expect(scene.sent(to: "https://www.example.com/a/b/c") == "b=1; c=1; d=1; a=2; e=1")
    }

    @Test func `5.8.3 step 6: a cookie without a name is its value`() {
        var scene = JarScene()
        scene.set("=v; Path=/")
        scene.set("n=; Path=/")
        #expect(scene.sent(to: "https://www.example.com/") == "v; n=")
    }

    @Test func `5.8.3 step 6: bytes are sent as they came`() throws {
        var scene = JarScene()
        let field = try SetCookie(parsing: ContiguousArray([0x61, 0x3D, 0xFF, 0x22, 0x20, 0x2C, 0x80] as [UInt8]).span)
        let request = JarScene.request("https://www.example.com/")
        try scene.jar.receive(field, from: request, at: scene.now)
        let sent = Cookie.fieldValue(of: scene.jar.cookies(for: request, at: scene.now))
        #expect(sent == [0x61, 0x3D, 0xFF, 0x22, 0x20, 0x2C, 0x80])
    }

    @Test func `5.8.3: what has ended is not sent, and is gone`() {
        var scene = JarScene()
        scene.set("a=b; Path=/; Max-Age=10")
        scene.pass(10)
        #expect(scene.sent(to: "https://www.example.com/") == "a=b")
        scene.pass(1)
        #expect(scene.sent(to: "https://example.org/").isEmpty)
        #expect(scene.jar.count == 0)
    }
}
