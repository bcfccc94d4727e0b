// SPDX-License-Identifier: Apache-2.0

import TernAuthentication
import TestSupport
import Testing

@Suite("RFC 7616 §3.9: examples")
struct DigestExampleConformance {
    private static let challenge = """
        Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=ALGORITHM, \
        nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"
        """
    private static let answer = """
        Digest username="Mufasa", realm="http-auth@example.org", uri="/dir/index.html", algorithm=ALGORITHM, \
        nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", nc=00000001, \
        cnonce="f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ", qop=auth, response="RESPONSE", \
        opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"
        """

    @Test(
        "§3.9.1: the client computes the example for SHA-256 and MD5",
        arguments: [
            ("SHA-256", "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"),
            ("MD5", "8ca523f5e9506fed4657c9700eebdbec"),
        ]
    )
    func algorithms(_ algorithm: String, _ response: String) throws {
        var authorizer = try digestAuthorizer(
            Self.challenge.replacing("ALGORITHM", with: algorithm),
            user: "Mufasa",
            password: "Circle of Life"
        )
        let value = try authorizer.fieldValue(
            method: "GET",
            target: "/dir/index.html",
            bodyHash: nil,
            cnonce: "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ"
        )
        let expected = Self.answer.replacing("ALGORITHM", with: algorithm).replacing("RESPONSE", with: response)
        #expect(value == expected)
    }

    /// The user name and the response are from erratum 4897, and Python's hashlib confirms them.
    ///
    /// The values in the RFC itself are a truncated plain SHA-512.
    @Test("§3.9.2: the client computes the example for SHA-512-256, charset and userhash")
    func userHash() throws {
        var authorizer = try digestAuthorizer(
            """
            Digest realm="api@example.org", qop="auth", algorithm=SHA-512-256, \
            nonce="5TsQWLVdgBdmrQ0XsxbDODV+57QdFR34I9HAbC/RVvkK", \
            opaque="HRPCssKJSGjCrkzDg8OhwpzCiGPChXYjwrI2QmXDnsOS", charset=UTF-8, userhash=true
            """,
            user: "J\u{E4}s\u{F8}n Doe",
            password: "Secret, or not?"
        )
        let value = try authorizer.fieldValue(
            method: "GET",
            target: "/doe.json",
            bodyHash: nil,
            cnonce: "NTg6RKcb9boFIAS3KrFK9BGeh+iDa/sm6jUMp2wds69v"
        )
        let expected = """
            Digest username="793263caabb707a56211940d90411ea4a575adeccb7e360aeb624ed06ece9b0b", \
            realm="api@example.org", uri="/doe.json", algorithm=SHA-512-256, \
            nonce="5TsQWLVdgBdmrQ0XsxbDODV+57QdFR34I9HAbC/RVvkK", nc=00000001, \
            cnonce="NTg6RKcb9boFIAS3KrFK9BGeh+iDa/sm6jUMp2wds69v", qop=auth, \
            response="3798d4131c277846293534c3edc11bd8a5e4cdcbff78b05db9d95eeb1cec68a5", \
            opaque="HRPCssKJSGjCrkzDg8OhwpzCiGPChXYjwrI2QmXDnsOS", userhash=true
            """
        #expect(value == expected)
    }

    @Test("RFC 2617 §3.5: the client computes the example")
    func older() throws {
        var authorizer = try digestAuthorizer(
            """
            Digest realm="testrealm@host.com", qop="auth,auth-int", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093", \
            opaque="5ccc069c403ebaf9f0171e9517f40e41"
            """,
            user: "Mufasa",
            password: "Circle Of Life"
        )
        let value = try authorizer.fieldValue(
            method: "GET",
            target: "/dir/index.html",
            bodyHash: nil,
            cnonce: "0a4f113b"
        )
        let expected = """
            Digest username="Mufasa", realm="testrealm@host.com", uri="/dir/index.html", \
            nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093", nc=00000001, cnonce="0a4f113b", qop=auth, \
            response="6629fae49393a05397450978507c4ef1", opaque="5ccc069c403ebaf9f0171e9517f40e41"
            """
        #expect(value == expected)
    }

    /// The expected response is from erratum 749.
    @Test("RFC 2069 §2.4: the client computes the example")
    func oldest() throws {
        var authorizer = try digestAuthorizer(
            """
            Digest realm="testrealm@host.com", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093", \
            opaque="5ccc069c403ebaf9f0171e9517f40e41"
            """,
            user: "Mufasa",
            password: "CircleOfLife"
        )
        let value = try authorizer.fieldValue(method: "GET", target: "/dir/index.html", bodyHash: nil, cnonce: "x")
        let expected = """
            Digest username="Mufasa", realm="testrealm@host.com", uri="/dir/index.html", \
            nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093", response="1949323746fe6a43ef61f9606e7febea", \
            opaque="5ccc069c403ebaf9f0171e9517f40e41"
            """
        #expect(value == expected)
    }
}
