// SPDX-License-Identifier: Apache-2.0

import TernAuthentication
import TernRequests
import Testing

@Suite("AuthenticationScheme, ProtectionSpace")
struct AuthenticationSchemeTests {
    @Test
    func `a scheme has no case`() {
        #expect(AuthenticationScheme(rawValue: "bAsIc") == .basic)
        #expect(AuthenticationScheme(rawValue: "bAsIc").hashValue == AuthenticationScheme.basic.hashValue)
        #expect(AuthenticationScheme(rawValue: "Basic ") != .basic)
        #expect(AuthenticationScheme(rawValue: "Ba\u{17F}ic") != .basic)
        #expect(AuthenticationScheme(rawValue: "bAsIc").description == "Basic")
        #expect(AuthenticationScheme(rawValue: "X-Own").description == "x-own")
    }

    @Test
    func `any difference makes another space`() {
        let origin = Origin(scheme: .https, host: "example.com")
        let space = ProtectionSpace(origin: origin, scheme: .basic, realm: "a")
        #expect(space == ProtectionSpace(origin: origin, scheme: .init(rawValue: "basic"), realm: "a"))
        let others = [
            ProtectionSpace(origin: Origin(scheme: .http, host: "example.com"), scheme: .basic, realm: "a"),
            ProtectionSpace(origin: Origin(scheme: .https, host: "example.com", port: 444), scheme: .basic, realm: "a"),
            ProtectionSpace(origin: origin, isProxy: true, scheme: .basic, realm: "a"),
            ProtectionSpace(origin: origin, scheme: .digest, realm: "a"),
            ProtectionSpace(origin: origin, scheme: .basic, realm: "A"),
            ProtectionSpace(origin: origin, scheme: .basic),
        ]
        #expect(Set(others + [space]).count == others.count + 1)
    }

    @Test
    func `a challenge has a space`() {
        let origin = Origin(scheme: .https, host: "example.com")
        let challenge = HTTPChallenge(scheme: .digest, parameters: [.init(name: "realm", value: "a\"b")])
        let space = ProtectionSpace(origin: origin, isProxy: true, challenge: challenge)
        #expect(space == ProtectionSpace(origin: origin, isProxy: true, scheme: .digest, realm: "a\"b"))
        #expect(space.description == #"Digest "a\"b" of the proxy https://example.com:443"#)
        #expect(ProtectionSpace(origin: origin, scheme: .bearer).description == "Bearer of https://example.com:443")
    }
}
