// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import TernRequests

@Suite("Secrets, by their names")
struct SecretsTests {
    @Test(arguments: [
        "authorization", "AUTHORIZATION", "Proxy-Authorization", "cookie", "Set-Cookie", "access_token", "X-Api-Key",
        "clientSecret", "password", "passwd", "pwd", "pass", "code", "sig", "X-Amz-Signature", "X-Amz-Credential",
        "state",
        "sessionid", "jwt", "Idempotency-Key", "X-Passphrase", "X-Pass", "passcode", "userpass", "db_pass", "X-Otp",
        "user.pin", "connect.sid", "X-CSRF", "xsrf", "X-Hub-Hmac", "client_assertion", "DPoP", "psk", "X-Compass-Pass",
        "sig[0]", "pass-through-token",
    ])
    func `these are hidden`(name: String) { #expect(Secrets.areHeld(by: name)) }

    @Test(arguments: [
        "", "accept", "content-type", "page", "compass", "decode", "design", "statement", "range", "host",
        "encompassing", "X-Bypass", "passenger", "passive", "X-Pass-Through", "shipping", "opinion", "postcode",
        "X-State", "sacred", "spin", "side",
    ])
    func `these are shown`(name: String) { #expect(!Secrets.areHeld(by: name)) }

    @Test(arguments: [
        ("", ""), ("a", "a"), ("http://h", "http://h"), ("http://u@h", "http://***@h"),
        ("http://u@h#a@b", "http://***@h"), ("http://h/a#access_token=x?y", "http://h/a"),
        ("http://h?", "http://h?"), ("http://h?&&", "http://h?&&"), ("http://h?token", "http://h?token"),
        ("http://h?token=", "http://h?token=***"), ("http://h?a=1?b=2&key=3", "http://h?a=1?b=2&key=***"),
        ("http://u:p@h?key=1#key=2", "http://***@h?key=***"), ("http://h?u=x@y", "http://h?u=x@y"),
    ])
    func `a URL is masked where it holds any`(text: String, expected: String) {
        #expect(Secrets.masked(url: text) == expected)
    }
}
