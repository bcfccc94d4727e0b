// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernRequests
import TernRetry
import Testing

@Suite("Requests that may be tried again")
struct RequestRetryTests {
    @Test(arguments: [
        ("7", #""7""#), (#"a"b"#, #""a\"b""#), (#"a\"#, #""a\\""#), (#"";x="#, #""\";x=""#), ("", #""""#),
    ])
    func `RFC 9651 §3.3.3 a key is a string`(key: String, expected: String) throws {
        let name = try #require(HTTPField.Name("Idempotency-Key"))
        #expect(Request(.post, "http://a/").idempotent(key: key).fields[name] == expected)
    }
}
