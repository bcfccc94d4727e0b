// SPDX-License-Identifier: Apache-2.0
import TernCookies
import TernFoundation
import Testing

/// The examples of RFC 6265bis §4.1.3 and §5.4: cookies that a user agent must refuse, and cookies that it accepts.
@Suite("RFC 6265bis, prefixes")
struct PrefixConformance {
    private static let origin = "https://site.example/"

    @Test(arguments: [
        "__Secure-SID=12345; Domain=site.example", "__secure-SID=12345; Domain=site.example",
        "__SECURE-SID=12345; Domain=site.example", "__Host-SID=12345", "__host-SID=12345; Secure",
        "__host-SID=12345; Domain=site.example", "__HOST-SID=12345; Domain=site.example; Path=/",
        "__Host-SID=12345; Secure; Domain=site.example; Path=/",
        "__host-SID=12345; Secure; Domain=site.example; Path=/",
        "__HOST-SID=12345; Secure; Domain=site.example; Path=/",
    ])
    func `5.4: refused, in any case of the letters`(_ text: String) {
        var scene = JarScene()
        let violation = scene.set(text, from: Self.origin)
        #expect(violation == .securePrefix || violation == .hostPrefix)
        #expect(scene.jar.count == 0)
    }

    @Test(arguments: [
        "__Secure-SID=12345; Domain=site.example; Secure", "__secure-SID=12345; Domain=site.example; Secure",
        "__SECURE-SID=12345; Domain=site.example; Secure", "__Host-SID=12345; Secure; Path=/",
        "__host-SID=12345; Secure; Path=/", "__HOST-SID=12345; Secure; Path=/",
    ])
    func `5.4: taken from a secure origin, and from no other`(_ text: String) {
        var scene = JarScene()
        #expect(scene.set(text, from: "http://site.example/") == .insecure)
        #expect(scene.set(text, from: Self.origin) == nil)
        #expect(scene.jar.count == 1)
    }

    @Test func `5.4: names that differ in case are two cookies, to both of which the prefix applies`() {
        var scene = JarScene()
        scene.set("__Secure-foo=bar; Secure", from: Self.origin)
        scene.set("__secure-foo=baz; Secure", from: Self.origin)
        #expect(scene.set("__sEcure-foo=evil", from: Self.origin) == .securePrefix)
        #expect(scene.sent(to: Self.origin) == "__Secure-foo=bar; __secure-foo=baz")
    }
}
