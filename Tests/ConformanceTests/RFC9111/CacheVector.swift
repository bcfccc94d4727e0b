// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernCaching
import TernRequests

/// Creates stored responses for tests of RFC 9111.
///
/// Times are in seconds since the receipt of the responses.
enum CacheVector {
    /// The time when all responses were received, in seconds since 1970.
    static let time: Int64 = 1_700_000_000

    /// Returns the text of a date, which is a number of seconds after the receipt.
    static func date(_ offset: Int64) -> String { HTTPDate(secondsSince1970: self.time + offset).description }

    static func fields(_ pairs: [(String, String)]) -> HTTPFields {
        var fields = HTTPFields()
        for (name, value) in pairs {
            if let name = HTTPField.Name(name) { fields.append(HTTPField(name: name, value: value)) }
        }
        return fields
    }

    static func stored(_ pairs: [(String, String)], status: Int = 200, delay: Int64 = 0) -> StoredResponse {
        StoredResponse(
            statusCode: status,
            fields: self.fields(pairs),
            requestTime: self.time - delay,
            responseTime: self.time
        )
    }

    /// Returns the cache's decision, a number of seconds after the receipt.
    static func decision(
        _ stored: [(String, String)]?,
        after seconds: Int64,
        _ request: [(String, String)] = [],
        _ policy: CachePolicy = .useProtocol
    ) -> CacheDecision {
        CacheDecision(
            self.fields(request),
            policy,
            stored: stored.map { self.stored($0) },
            now: self.time + seconds
        )
    }

    static let tag = ("ETag", "\"a\"")
    static let ask = CacheDecision.revalidate([.ifNoneMatch: "\"a\""])
    static let fresh = CacheDecision.serve(isStale: false)
    static let stale = CacheDecision.serve(isStale: true)

    /// Returns a digest that shows the digested value.
    static func digest(_ value: String) -> String { "<\(value)>" }
}
