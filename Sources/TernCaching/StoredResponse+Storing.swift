// SPDX-License-Identifier: Apache-2.0
public import HTTPTypes
import TernRequests

extension StoredResponse {
    /// Whether a private cache may store a response, and has a use for it (RFC 9111 §3).
    ///
    /// Only answers to `GET` are stored, whole ones: a part (206) and the answer to a condition (304) are none; nor is a
    /// challenge, which is for one moment, nor what RFC 6585 forbids to store. One that would have to be fetched again
    /// each time, because it is not fresh for a second and has no validator, is of no use.
    ///
    /// - Parameters:
    ///   - method: the method of the request.
    ///   - request: the fields of the request.
    ///   - response: what would be stored.
    /// - Returns: whether to store it.
    public static func isStorable(
        method: HTTPRequest.Method,
        request: HTTPFields,
        response: StoredResponse
    ) -> Bool {
        let freshness = Freshness(response)
        let control = freshness.control
        // "the request method is understood by the cache"; "the response status code is final".
        guard method == .get, 200..<600 ~= response.statusCode else { return false }
        if [206, 304, 401, 407].contains(response.statusCode) { return false }
        // "Responses with the 428 status code MUST NOT be stored by a cache" (RFC 6585 §3); so for 429, 431, 511 (§4 to §6).
        if [428, 429, 431, 511].contains(response.statusCode) { return false }
        // What cannot be read may have been `no-store`.
        if control.isMalformed { return false }
        // "if the response status code is 206 or 304, or the must-understand cache directive is present: the cache
        // understands the response status code". It then disregards no-store (§5.2.2.3).
        if control.mustUnderstand {
            guard Self.isUnderstood(response.statusCode) else { return false }
        } else if control.noStore {
            return false  // "the no-store cache directive is not present in the response"
        }
        // §5.2.1.5: "a cache MUST NOT store any part of either this request or any response to it".
        guard !CacheControl(request).noStore else { return false }
        // Of what says that it may be stored, one thing at least must be there. `private` is for us (§5.2.2.7).
        let isAllowed =
            control.isPublic || control.isPrivate || response.fields.contains(.expires) || control.maxAge != nil
            || Self.isHeuristicallyCacheable(response.statusCode)
        guard isAllowed else { return false }
        return freshness.lifetime > 0 || !response.validators.isEmpty
    }

    /// Whether a status allows guessing how long a response is fresh (RFC 9110 §15.1).
    static func isHeuristicallyCacheable(_ statusCode: Int) -> Bool {
        [200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501].contains(statusCode)
    }

    /// Whether the status is one of RFC 9110, whose meaning for caches is known.
    private static func isUnderstood(_ statusCode: Int) -> Bool {
        switch statusCode {
        case 200...206, 300...303, 305, 307, 308, 400...417, 421, 422, 426, 500...505: true
        default: false
        }
    }

    // MARK: Validation

    /// What a 304, or the answer to `HEAD`, says about a stored response.
    @nonexhaustive
    public enum Confirmation: Hashable, Sendable {
        /// It is current, and takes the newer fields.
        case updates
        /// It is current, but keeps its fields.
        case keeps
        /// Another is meant.
        case isAnother
    }

    /// Whether a 304, or the answer to `HEAD`, is about this response (RFC 9111 §4.3.4, §4.3.5).
    ///
    /// "If none of the initial set contains at least one of the same strong validators, then the cache MUST NOT use the new
    /// response to update any stored responses." A server that weakens the tag of what it compresses, such as nginx,
    /// answers by 304 with the strong one: then an equal date, if it is strong, or else nothing but the 304 itself counts.
    ///
    /// - Parameter fields: the fields of the answer.
    /// - Returns: what it says.
    public func confirmation(by fields: HTTPFields) -> Confirmation {
        let modified = fields[.lastModified]
        let isSameDate = modified != nil && modified == self.lastModified
        guard let tag = fields[.eTag] else {
            // Without validators it is about the only one that was asked for.
            return modified == nil || self.lastModified == nil || isSameDate ? .updates : .isAnother
        }
        guard let own = self.entityTag else {
            return isSameDate ? (self.hasStrongDate ? .updates : .keeps) : .isAnother
        }
        guard Self.opaque(tag) == Self.opaque(own) else { return .isAnother }
        let isStrengthened = own.hasPrefix("W/") && !tag.hasPrefix("W/")
        return !isStrengthened || isSameDate && self.hasStrongDate ? .updates : .keeps
    }

    /// Whether `Last-Modified` is a strong validator: a second at least before `Date` (RFC 9110 §8.8.2.2).
    var hasStrongDate: Bool {
        let now = HTTPDate(secondsSince1970: self.responseTime)
        guard let modified = self.lastModified.flatMap({ HTTPDate($0, now: now) }),
            let date = self.fields[.date].flatMap({ HTTPDate($0, now: now) })
        else { return false }
        return date > modified
    }

    private static func opaque(_ tag: String) -> Substring { tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...] }

    /// The stored response with the fields of a newer answer that is about it (RFC 9111 §3.2).
    ///
    /// "The cache MUST add each header field in the provided response to the stored response, replacing field values that
    /// are already present" (§3.2), but for those that are not stored, and `Content-Length`. `Content-Encoding` and
    /// `Content-Range` are left as they are, too: they describe content that was stored decoded.
    ///
    /// - Parameters:
    ///   - fields: the fields of the newer answer.
    ///   - requestTime: when that was asked for, in seconds since 1970.
    ///   - responseTime: when that came, in seconds since 1970.
    /// - Returns: a changed copy.
    public func updated(by fields: HTTPFields, requestTime: Int64, responseTime: Int64) -> StoredResponse {
        var copy = self
        let news = Self.storedFields(of: fields, receivedAt: responseTime).filter {
            !["content-length", "content-encoding", "content-range"].contains($0.name.canonicalName)
        }
        // How old the stored one was on the way is no more: the newer answer says it, or is new.
        copy.fields[.age] = nil
        for name in Set(news.map(\.name)) { copy.fields[name] = nil }
        for field in news { copy.fields.append(field) }
        copy.requestTime = requestTime
        copy.responseTime = responseTime
        return copy
    }
}
