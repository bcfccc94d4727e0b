// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import TernAuthentication

@Suite("ChallengeParser")
struct ChallengeParserTests {
    private static func parse(_ bytes: [UInt8]) throws(ChallengeViolation) -> [HTTPChallenge] {
        var parser = ChallengeParser(bytes)
        var challenges: [HTTPChallenge] = []
        try parser.readChallenges(into: &challenges)
        return challenges
    }

    private static func violation(_ fieldValues: [String]) -> ChallengeViolation? {
        do throws(ChallengeViolation) {
            _ = try HTTPChallenge.parse(fieldValues)
            return nil
        } catch {
            return error
        }
    }

    @Test
    func `challenges are counted over all fields`() {
        let limit = ChallengeParser.maximumChallengeCount
        #expect(Self.violation(Array(repeating: "Basic realm=a", count: limit)) == nil)
        #expect(Self.violation(Array(repeating: "A", count: limit + 1)) == .tooManyChallenges(limit: limit))
        let list = Array(repeating: "A", count: limit).joined(separator: ",")
        #expect(Self.violation([list]) == nil)
        #expect(Self.violation([list + ",A"]) == .tooManyChallenges(limit: limit))
    }

    @Test
    func `parameters are counted by challenge`() {
        let limit = ChallengeParser.maximumParameterCount
        let parameters = (0..<limit).map { "p\($0)=v" }.joined(separator: ",")
        #expect(Self.violation(["A \(parameters), B \(parameters)"]) == nil)
        #expect(Self.violation(["A \(parameters), q=v"]) == .tooManyParameters(limit: limit))
    }

    @Test
    func `bytes are counted over all fields`() {
        let limit = ChallengeParser.maximumByteCount
        let half = "A r=\"\(String(repeating: "x", count: limit / 2 - 6))\""
        #expect(half.utf8.count == limit / 2)
        #expect(Self.violation([half, half]) == nil)
        #expect(Self.violation([half, half, "A"]) == .tooLong(limit: limit))
        #expect(Self.violation([half + half + "A"]) == .tooLong(limit: limit))
    }

    @Test(arguments: [[0xFF], [0xC3], [0xC3, 0x28], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80]] as [[UInt8]])
    func `strings that are not UTF-8 are kept byte for byte, and shown as Latin-1`(_ bytes: [UInt8]) throws {
        let challenge = try #require(try Self.parse(Array("A r=\"".utf8) + bytes + Array("\"".utf8)).first)
        #expect(challenge.bytes(of: "r") == bytes)
        #expect(challenge["r"]?.unicodeScalars.map(\.value) == bytes.map { UInt32($0) })
        let same = HTTPChallenge.Parameter(name: "r", value: challenge["r"] ?? "")
        #expect(challenge.parameters != [same])
    }

    static let bareRealms: [(String, String)] = [
        ("Basic realm=My Router", "My Router"), ("Basic realm= My\tRouter \t, charset=UTF-8", "My\tRouter"),
        ("Basic realm=http://a/b?c", "http://a/b?c"), ("Basic realm=(a; b)", "(a; b)"),
        ("Basic realm=Büro im Süden", "Büro im Süden"), ("Digest a=b, REALM=My Router, nonce=n", "My Router"),
        ("Negotiate, Basic realm=My Router, Digest realm=x", "My Router"),
    ]

    // RFC 9110 §11.5: "For historical reasons, a sender MUST only generate the quoted-string syntax."
    @Test(arguments: bareRealms)
    func `a realm that lacks its quotes reaches to the comma`(_ value: String, _ realm: String) throws {
        let challenges = try HTTPChallenge.parse([value])
        #expect(challenges.first { $0.realm != nil }?.realm == realm)
        let written = value.replacing(realm, with: "\"\(realm)\"")
        #expect(try HTTPChallenge.parse([written]) == challenges)
    }

    @Test(arguments: [
        "Basic realm=a b=c", "Basic realm=My \"Router\"", "Basic realm=My \\Router", "Basic a=My Router",
        "Basic realm=My\u{7F}Router",
    ])
    func `but not over another parameter, quotes or control characters`(_ value: String) {
        #expect(Self.violation([value]) != nil)
    }

    @Test
    func `tokens are not beyond ASCII`() {
        #expect(throws: ChallengeViolation.malformed(at: 0)) {
            _ = try Self.parse([0xC3, 0xA4])
        }
    }

    @Test
    func `every byte is read or refused, anywhere`() {
        let text = Array(#"Basic realm="a\"b", Newauth t=1, Other abc=="#.utf8)
        for place in text.indices {
            for byte in UInt8.min...UInt8.max {
                var bytes = text
                bytes[place] = byte
                let challenges = (try? Self.parse(bytes)) ?? []
                #expect(challenges.count <= 4)
            }
        }
    }

    @Test
    func `parameters without a scheme are those of Authentication-Info`() throws {
        var parser = ChallengeParser(Array(#", nextnonce="a\"b" ,, QOP=auth, nc = 00000001"#.utf8))
        let parameters = try parser.readParameters()
        #expect(parameters["nextnonce"] == "a\"b")
        #expect(parameters["qop"] == "auth")
        #expect(parameters["nc"] == "00000001")
        #expect(parameters.parameters.count == 3)
    }

    @Test(arguments: ["Digest nextnonce=a", "a", "a=b c=d", "a=b, a=c", "a=\"", "=", "a=b;"])
    func `and nothing else is`(_ text: String) {
        #expect(throws: ChallengeViolation.self) {
            var parser = ChallengeParser(Array(text.utf8))
            _ = try parser.readParameters()
        }
    }

    @Test
    func `they are bounded, too`() {
        let limit = ChallengeParser.maximumByteCount
        #expect(throws: ChallengeViolation.tooLong(limit: limit)) {
            var parser = ChallengeParser(Array(repeating: UInt8(ascii: ","), count: limit + 1))
            _ = try parser.readParameters()
        }
    }
}
