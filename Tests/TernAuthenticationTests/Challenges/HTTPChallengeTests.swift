// SPDX-License-Identifier: Apache-2.0

import TernAuthentication
import Testing

@Suite("HTTPChallenge")
struct HTTPChallengeTests {
    @Test
    func `names have no case, values do`() {
        let challenge = HTTPChallenge(scheme: .basic, parameters: [.init(name: "ReAlM", value: "A")])
        #expect(challenge["realm"] == "A")
        #expect(challenge["REALM"] == "A")
        #expect(challenge.realm == "A")
        #expect(challenge["charset"] == nil)
        #expect(
            challenge == HTTPChallenge(scheme: .init(rawValue: "BASIC"), parameters: [.init(name: "realm", value: "A")])
        )
        #expect(challenge != HTTPChallenge(scheme: .basic, parameters: [.init(name: "realm", value: "a")]))
    }

    @Test
    func `a description has no nonce and no message`() {
        let digest = HTTPChallenge(
            scheme: .digest,
            parameters: [.init(name: "nonce", value: "secret"), .init(name: "realm", value: "a\"b")]
        )
        #expect(digest.description == #"Digest realm="a\"b""#)
        let negotiate = HTTPChallenge(scheme: .init(rawValue: "Negotiate"), token68: "secret")
        #expect(negotiate.description == "Negotiate")
    }
}
