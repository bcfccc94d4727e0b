// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernCaching
import TernRequests

/// Makes stored responses for the rules of RFC 9111; time is in seconds since an arbitrary moment, at which they came.
enum CacheVector {
    /// When everything was received.
    static let time: Int64 = 1_700_000_000

    /// A date as a field has it, so many seconds from the moment of receipt.
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

    /// Returns the decision this number of seconds after the receipt.
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

    /// A digest that shows what was digested.
    static func digest(_ value: String) -> String { "<\(value)>" }
}
