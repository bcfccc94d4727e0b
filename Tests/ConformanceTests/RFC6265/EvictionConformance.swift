// SPDX-License-Identifier: Apache-2.0
import TernCookies
import TestSupport
import Testing

@Suite("RFC 6265bis, limits")
struct EvictionConformance {
    private static func names(_ scene: JarScene) -> [String] { scene.jar.cookies.map(\.name) }

    @Test func `5.7: an expired cookie is evicted at any time`() {
        var scene = JarScene()
        scene.set("a=1; Max-Age=5")
        scene.set("b=1; Max-Age=50")
        scene.pass(6)
        scene.set("c=1", from: "https://elsewhere.net/")
        #expect(Self.names(scene) == ["b", "c"])
    }

    @Test func `5.7: of a domain with too many, those that are not secure go first, the least used of them`() {
        var scene = JarScene(limits: CookieLimits(maximumCookiesPerDomain: 3))
        scene.set("s=1; Secure; Path=/s")
        scene.pass(1)
        scene.set("a=1; Path=/a")
        scene.pass(1)
        scene.set("b=1; Path=/b")
        scene.pass(1)
        #expect(scene.sent(to: "https://www.example.com/a") == "a=1")  // used: b is older now
        scene.pass(1)
        scene.set("c=1; Path=/c")
        #expect(Self.names(scene) == ["s", "a", "c"])
        scene.set("t=1; Secure")
        scene.set("u=1; Secure")
        #expect(Self.names(scene) == ["s", "t", "u"])
        scene.pass(1)
        scene.set("v=1; Secure")
        #expect(Self.names(scene) == ["t", "u", "v"])
    }

    @Test func `5.7: other domains are not touched by one with too many`() {
        var scene = JarScene(limits: CookieLimits(maximumCookiesPerDomain: 2))
        scene.set("mine=1", from: "https://mine.net/")
        for number in 0..<50 { scene.set("n\(number)=1") }
        #expect(Self.names(scene) == ["mine", "n48", "n49"])
    }

    @Test func `5.7: of all too many, the least used goes`() {
        var scene = JarScene(limits: CookieLimits(maximumCookieCount: 3))
        for host in ["one.net", "two.net", "three.net"] {
            scene.set("\(host)=1; Path=/", from: "https://\(host)/")
            scene.pass(1)
        }
        #expect(scene.sent(to: "https://one.net/") == "one.net=1")
        scene.pass(1)
        scene.set("four.net=1", from: "https://four.net/")
        #expect(Self.names(scene) == ["one.net", "three.net", "four.net"])
    }

    @Test(arguments: [3600.0, 31_536_000])
    func `5.7: a clock that is set back does not evict what is new or used`(step: Double) {
        var scene = JarScene(limits: CookieLimits(maximumCookiesPerDomain: 3))
        for name in ["a", "b", "c"] {
            scene.set("\(name)=1; Path=/\(name)")
            scene.pass(1)
        }
        scene.pass(-step)
        scene.set("d=1; Path=/d")
        #expect(Self.names(scene) == ["b", "c", "d"])
        scene.pass(1)
        #expect(scene.sent(to: "https://www.example.com/b") == "b=1")
        scene.pass(1)
        scene.set("e=1; Path=/e")
        #expect(Self.names(scene) == ["b", "d", "e"])
        scene.pass(1)
        scene.set("f=1; Path=/f")
        #expect(Self.names(scene) == ["b", "e", "f"])
        // The clock is right again.
        scene.pass(step)
        scene.set("g=1; Path=/g")
        #expect(Self.names(scene) == ["e", "f", "g"])
    }

    @Test(arguments: [3600.0, 31_536_000])
    func `5.7: a cookie outlives its Max-Age by no more than the clock was set back`(step: Double) {
        for attribute in ["Max-Age=100", "Expires=Fri, 15 Jan 2027 08:01:40 GMT"] {
            var scene = JarScene()
            scene.set("a=1; Path=/; \(attribute)")
            scene.pass(-step)
            #expect(scene.sent(to: "https://www.example.com/") == "a=1")
            scene.pass(step + 100)
            #expect(scene.sent(to: "https://www.example.com/") == "a=1")
            scene.pass(1)
            #expect(scene.sent(to: "https://www.example.com/").isEmpty)
        }
    }

    @Test func `6.1: 50 cookies of a domain and 3000 in all are kept`() {
        var scene = JarScene()
        for host in 0..<60 {
            for number in 0..<50 { scene.set("n\(number)=1", from: "https://h\(host).net/") }
        }
        #expect(scene.jar.count == 3000)
    }

    @Test func `6.1: a cookie of 4096 bytes is kept, with its attributes`() {
        var scene = JarScene()
        let value = String(repeating: "v", count: 4095)
        #expect(scene.set("n=\(value); Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=60") == nil)
        expectEqual(scene.sent(to: "https://www.example.com/"), "n=\(value)")
    }

    @Test func `5.7: the session's end takes what has no expiry date`() {
        var scene = JarScene()
        scene.set("a=1")
        scene.set("b=1; Max-Age=50")
        scene.jar.endSession()
        #expect(Self.names(scene) == ["b"])
    }

    // MARK: Bombs

    @Test func `a server that sets thousands of cookies keeps its share`() {
        var scene = JarScene()
        scene.set("mine=1; Path=/", from: "https://mine.net/")
        for number in 0..<5000 { scene.set("bomb\(number)=\(number); Path=/; Domain=example.com") }
        #expect(scene.jar.count == 181)
        #expect(scene.sent(to: "https://mine.net/") == "mine=1")
    }

    @Test func `a server that sets long cookies does not make the field long`() {
        var scene = JarScene()
        let value = String(repeating: "v", count: 4000)
        for number in 0..<100 { scene.set("bomb\(number)=\(value); Path=/") }
        scene.set("small=1; Path=/")
        let sent = scene.sent(to: "https://www.example.com/")
        #expect(sent.utf8.count <= 8190)
        #expect(sent.hasSuffix("; small=1"))
    }

    @Test func `a server with many hosts fills the jar and no more`() {
        var scene = JarScene(limits: CookieLimits(maximumCookieCount: 100))
        for number in 0..<500 { scene.set("a=\(number)", from: "https://h\(number).example.com/") }
        #expect(scene.jar.count == 100)
    }
}
