// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import TernAuthentication

/// Tests which challenges can be read from fields that are partly malformed.
@Suite("Readable challenges")
struct ReadableChallengesTests {
    private static let digest = #"Digest realm="a", nonce="n", qop="auth""#
    private static let basic = #"Basic realm="b""#

    private static func readable(_ values: String...) -> [HTTPChallenge] {
        HTTPChallenge.readable(in: values.map { Array($0.utf8) })
    }

    /// Values whose first challenge is malformed.
    static let faults = [
        #"Basic realm="never ends"#, #"realm="a", Basic realm=c"#, "Basic realm=a, realm=b, Digest nonce=n",
        "Newauth a b c", "ä", "Basic a=b c=d", #""Basic" realm="a""#, "Basic realm=\"a\0\"",
    ]

    @Test(arguments: faults)
    func `a value that cannot be read does not hide the others`(_ fault: String) throws {
        let good = try HTTPChallenge.parse([Self.digest, Self.basic])
        #expect(Self.readable(fault, Self.digest, Self.basic) == good)
        #expect(Self.readable(Self.digest, fault, Self.basic) == good)
        #expect(Self.readable(Self.digest, Self.basic, fault) == good)
        #expect(Self.readable(fault) == [])
        #expect(throws: ChallengeViolation.self) { try HTTPChallenge.parse([Self.digest, fault]) }
    }

    @Test(arguments: faults.filter { !$0.hasPrefix("realm") })
    func `what is whole before a fault is kept`(_ fault: String) throws {
        let good = try HTTPChallenge.parse([Self.digest, Self.basic])
        let whole = Self.readable("\(Self.digest), \(Self.basic), \(fault)")
        // Malformed text that does not begin with a scheme may belong to the challenge before it.
        let isOfItsOwn = fault.first?.isASCII == true && fault.first != "\""
        #expect(whole == (isOfItsOwn ? good : [good[0]]))
    }

    @Test
    func `a parameter that cannot be read costs its own challenge`() throws {
        let first = try HTTPChallenge.parse([Self.digest])
        #expect(Self.readable("\(Self.digest), \(Self.basic), charset=\"") == first)
        #expect(Self.readable("\(Self.digest), \(Self.basic); charset=x") == first)
    }

    @Test
    func `the limits are those of all challenges`() {
        let limit = ChallengeParser.maximumByteCount
        let long = "A r=\"\(String(repeating: "x", count: limit))\""
        #expect(Self.readable(long, Self.basic).map(\.scheme) == [.basic])
        let fill = "A r=\"\(String(repeating: "x", count: limit - 6))\""
        #expect(fill.utf8.count == limit)
        #expect(Self.readable(fill, Self.basic).map(\.scheme) == [AuthenticationScheme(rawValue: "A")])
        let count = ChallengeParser.maximumChallengeCount
        let many = Array(repeating: "A", count: count + 1).joined(separator: ",")
        #expect(Self.readable(many, Self.basic).count == count)
    }

    @Test
    func `every truncation gives what can be read of it`() {
        let text = "\(Self.digest), \(Self.basic), Newauth a=\"b\", c=d"
        for end in text.indices {
            let value = String(text[..<end])
            let challenges = Self.readable(value)
            #expect(challenges.count <= 4)
            if let strict = try? HTTPChallenge.parse([value]) { #expect(challenges == strict) }
        }
    }
}
