// SPDX-License-Identifier: Apache-2.0
public import HTTPTypes
import TernRequests

extension StoredResponse {
    /// Returns whether a private cache should store a complete response (RFC 9111 §3).
    ///
    /// A response to `GET` should be stored if it has a validator, or a lifetime of at least a second. It also needs `max-age`,
    /// `Expires`, `public` or `private`, unless a cache may store its status without them (RFC 9110 §15.1), such as 200, 301 and
    /// 404, but not 302, 403 and 500. Some responses are never stored, such as parts (206), answers to a condition (304),
    /// challenges (401, 407), 429 (RFC 6585), and those whose directives forbid it or break the grammar.
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
        // "Responses with the 428 status code MUST NOT be stored by a cache" (RFC 6585 §3). The same rule applies to
        // 429, 431 and 511 (RFC 6585 §4 to §6).
        if [428, 429, 431, 511].contains(response.statusCode) { return false }
        guard Self.allowsStoring(control, response.statusCode) else { return false }
        // RFC 9111 §5.2.1.5: "a cache MUST NOT store any part of either this request or any response to it".
        guard !CacheControl(request).noStore else { return false }
        // At least one directive, field or status must allow storing. `private` allows it, because this is a private
        // cache (RFC 9111 §5.2.2.7).
        let isAllowed =
            control.isPublic || control.isPrivate || response.fields.contains(.expires) || control.maxAge != nil
            || Self.isHeuristicallyCacheable(response.statusCode)
        guard isAllowed else { return false }
        return freshness.lifetime > 0 || !response.validators.isEmpty
    }

    /// Whether the response's own directives let a cache store it; after an update, whether it may stay stored.
    package var allowsStoring: Bool { Self.allowsStoring(CacheControl(self.fields), self.statusCode) }

    private static func allowsStoring(_ control: CacheControl, _ statusCode: Int) -> Bool {
        // The server may have meant `no-store` with a malformed directive.
        if control.isMalformed { return false }
        // "if the response status code is 206 or 304, or the must-understand cache directive is present: the cache
        // understands the response status code". With must-understand, a cache that understands the status ignores
        // no-store (RFC 9111 §5.2.2.3). Otherwise, "the no-store cache directive is not present in the response" (§3).
        return control.mustUnderstand ? self.isUnderstood(statusCode) : !control.noStore
    }

    static func isHeuristicallyCacheable(_ statusCode: Int) -> Bool {
        [200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501].contains(statusCode)
    }

    /// Returns whether RFC 9110 defines the status.
    private static func isUnderstood(_ statusCode: Int) -> Bool {
        switch statusCode {
        case 200...206, 300...303, 305, 307, 308, 400...417, 421, 422, 426, 500...505: true
        default: false
        }
    }

    // MARK: Validation

    /// The meaning of the validators of a 304, or of a response to `HEAD`, for a stored response.
    @nonexhaustive
    public enum Confirmation: Hashable, Sendable {
        /// The stored response is current, and its fields should be updated from the new response.
        case updates
        /// The stored response is current, but its fields should stay as they are.
        case keeps
        /// The new response is not about this stored response.
        case isAnother
    }

    /// Returns the meaning of a 304, or of a response to `HEAD`, for this stored response (RFC 9111 §4.3.4, §4.3.5).
    ///
    /// A response with a strong entity tag updates only a stored response with the same strong tag, or the same strong
    /// `Last-Modified`. Otherwise, if the stored tag is the weak form of the new one, the result is `keeps`, because some servers,
    /// such as nginx, send a weak tag with compressed content, and its strong form with a 304.
    ///
    /// - Parameter fields: The fields of the new response.
    /// - Returns: The meaning of the new response.
    public func confirmation(by fields: HTTPFields) -> Confirmation {
        let modified = fields[.lastModified]
        let isSameDate = modified != nil && modified == self.lastModified
        guard let tag = fields[.eTag] else {
            // A response without an entity tag is about the one stored response that the request was for, if the dates
            // do not differ.
            return modified == nil || self.lastModified == nil || isSameDate ? .updates : .isAnother
        }
        guard let own = self.entityTag else {
            return isSameDate ? (self.hasStrongDate ? .updates : .keeps) : .isAnother
        }
        guard Self.opaque(tag) == Self.opaque(own) else { return .isAnother }
        let isStrengthened = own.hasPrefix("W/") && !tag.hasPrefix("W/")
        return !isStrengthened || isSameDate && self.hasStrongDate ? .updates : .keeps
    }

    /// Whether `Last-Modified` is at least a second before `Date` (RFC 9110 §8.8.2.2).
    var hasStrongDate: Bool {
        let now = HTTPDate(secondsSince1970: self.responseTime)
        guard let modified = self.lastModified.flatMap({ HTTPDate($0, now: now) }),
            let date = self.fields[.date].flatMap({ HTTPDate($0, now: now) })
        else { return false }
        return date > modified
    }

    private static func opaque(_ tag: String) -> Substring { tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...] }

    /// Returns a copy with the fields of a newer response in place of those of the same names (RFC 9111 §3.2).
    ///
    /// It keeps its own `Content-Length`, `Content-Encoding` and `Content-Range`, loses its own `Age`, and takes no field that a
    /// cache never stores (``storedFields(of:receivedAt:)``). The times are those of the newer response, in seconds since 1970.
    public func updated(by fields: HTTPFields, requestTime: Int64, responseTime: Int64) -> StoredResponse {
        var copy = self
        let news = Self.storedFields(of: fields, receivedAt: responseTime).filter {
            !["content-length", "content-encoding", "content-range"].contains($0.name.canonicalName)
        }
        // The old `Age` no longer applies: the newer response has its own `Age`, or comes directly from the server.
        copy.fields[.age] = nil
        for name in Set(news.map(\.name)) { copy.fields[name] = nil }
        for field in news { copy.fields.append(field) }
        copy.requestTime = requestTime
        copy.responseTime = responseTime
        return copy
    }
}
