// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernRequests

extension StoredResponse {
    /// Which of several stored responses that match a request is used.
    ///
    /// "When more than one suitable response is stored, a cache MUST use the most recent one (as determined by the Date
    /// header field)" (RFC 9111 §4). Those without `Vary` come after those with it: when "one or more omits the Vary header
    /// field, the cache SHOULD choose the most recent … stored response with a valid Vary field value" (§4.1).
    ///
    /// - Parameter candidates: the stored responses that match, in any order.
    /// - Returns: the place of the chosen one, of equal ones the first; `nil` if there is none.
    package static func choice(among candidates: [StoredResponse]) -> Int? {
        candidates.indices.max { one, other in
            let (one, other) = (candidates[one], candidates[other])
            let hasVary = (one.fields.contains(.vary), other.fields.contains(.vary))
            return hasVary.0 == hasVary.1 ? one.date < other.date : hasVary.1
        }
    }

    /// What `Date` says; when the response came, if that cannot be read.
    private var date: Int64 {
        let now = HTTPDate(secondsSince1970: self.responseTime)
        return self.fields[.date].flatMap { HTTPDate($0, now: now) }?.secondsSince1970 ?? self.responseTime
    }
}
