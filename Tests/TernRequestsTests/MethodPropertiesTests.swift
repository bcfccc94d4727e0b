// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import TernRequests
import Testing

@Suite("Properties of methods")
struct MethodPropertiesTests {
    @Test(arguments: [
        ("GET", true, true), ("HEAD", true, true), ("OPTIONS", true, true), ("TRACE", true, true),
        ("PUT", false, true), ("DELETE", false, true), ("POST", false, false), ("PATCH", false, false),
        ("CONNECT", false, false), ("QUERY", false, false), ("get", false, false),
    ])
    func `safe and idempotent are those that RFC 9110 §9_2 names`(
        _ name: String,
        _ isSafe: Bool,
        _ isIdempotent: Bool
    ) throws {
        let method = try #require(HTTPRequest.Method(rawValue: name))
        #expect((method.isSafe, method.isIdempotent) == (isSafe, isIdempotent))
    }
}
