// SPDX-License-Identifier: Apache-2.0
public import HTTPTypes
import TernRequests

/// The stored head of a response, without fields that are only for one connection or one moment.
public struct StoredResponse: Hashable, Sendable {
    /// The status code.
    public var statusCode: Int
    /// The reason phrase, as received.
    public var reasonPhrase: String
    /// The fields as received, except those that ``storedFields(of:receivedAt:)`` leaves out.
    public var fields: HTTPFields
    /// The time when the request was sent, in seconds since 1970 (`request_time` in RFC 9111 §4.2.3).
    public var requestTime: Int64
    /// The time when the response arrived, in seconds since 1970 (`response_time` in RFC 9111 §4.2.3).
    public var responseTime: Int64
    /// The requests that the response answers, among those for the same URL.
    public var variant: Variant

    /// Creates a head to store.
    ///
    /// - Parameters:
    ///   - statusCode: The status code.
    ///   - reasonPhrase: The reason phrase. Defaults to an empty string.
    ///   - fields: The fields. Those that must not be stored are left out.
    ///   - requestTime: The time when the request was sent, in seconds since 1970.
    ///   - responseTime: The time when the response arrived, in seconds since 1970.
    ///   - variant: The requests that the response answers. Defaults to all.
    public init(
        statusCode: Int,
        reasonPhrase: String = "",
        fields: HTTPFields,
        requestTime: Int64,
        responseTime: Int64,
        variant: Variant = Variant()
    ) {
        self.statusCode = statusCode
        self.reasonPhrase = reasonPhrase
        self.fields = Self.storedFields(of: fields, receivedAt: responseTime)
        self.requestTime = requestTime
        self.responseTime = responseTime
        self.variant = variant
    }

    /// Creates a head from stored values.
    init(
        stored fields: HTTPFields,
        _ statusCode: Int,
        _ reasonPhrase: String,
        _ requestTime: Int64,
        _ responseTime: Int64,
        _ variant: Variant
    ) {
        self.statusCode = statusCode
        self.reasonPhrase = reasonPhrase
        self.fields = fields
        self.requestTime = requestTime
        self.responseTime = responseTime
        self.variant = variant
    }

    /// The `ETag`; `nil` if there is none.
    ///
    /// Tags are compared weakly (RFC 9110 §8.8.3.2).
    public var entityTag: String? { self.fields[.eTag] }

    /// The text of `Last-Modified`; `nil` if there is none.
    public var lastModified: String? { self.fields[.lastModified] }

    /// The fields that ask the server whether the response is still current (RFC 9111 §4.3.1); empty if the response
    /// has no validators.
    public var validators: HTTPFields {
        var fields = HTTPFields()
        // "A cache MUST send the relevant entity tags … if the entity tags were provided in the stored response(s) being
        // validated", and SHOULD send Last-Modified (§4.3.1).
        if let entityTag { fields[.ifNoneMatch] = entityTag }
        if let lastModified { fields[.ifModifiedSince] = lastModified }
        return fields
    }

    // MARK: What is stored

    /// Returns the fields to store: without those for one connection or one moment, and with a `Date`.
    ///
    /// "Caches MUST include all received response header fields … when storing a response", except `Connection`, the
    /// fields that it names, and fields for a proxy (RFC 9111 §3.1). `Set-Cookie` is left out as well: the cookie store
    /// received the cookies when the response arrived, and they do not apply when the response is used again. The same
    /// goes for proofs of authentication.
    ///
    /// "A recipient with a clock that receives a response message without a Date header field MUST record the time it
    /// was received and append a corresponding Date header field … if it is cached" (RFC 9110 §6.6.1).
    ///
    /// - Parameters:
    ///   - fields: The received fields.
    ///   - time: The time when they arrived, in seconds since 1970.
    /// - Returns: The fields to store.
    public static func storedFields(of fields: HTTPFields, receivedAt time: Int64) -> HTTPFields {
        var dropped = Self.transientFields
        for value in fields[values: .connection] {
            for name in value.split(whereSeparator: { $0 == "," || $0 == " " || $0 == "\t" }) {
                dropped.insert(name.lowercased())
            }
        }
        var kept = HTTPFields(fields.filter { !dropped.contains($0.name.canonicalName) })
        if !kept.contains(.date) { kept[.date] = HTTPDate(secondsSince1970: time).description }
        return kept
    }

    private static let transientFields: Set<String> = [
        "connection", "keep-alive", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade",
        "proxy-authenticate", "proxy-authentication-info", "proxy-authorization", "set-cookie", "set-cookie2",
        "authentication-info", "www-authenticate",
    ]
}

extension StoredResponse: CustomStringConvertible {
    /// Shows only the status, because fields may contain secrets.
    public var description: String { "stored response \(self.statusCode)" }
}

extension StoredResponse {
    /// Returns which of several matching stored responses to use.
    ///
    /// "When more than one suitable response is stored, a cache MUST use the most recent one (as determined by the Date
    /// header field)" (RFC 9111 §4). Responses with `Vary` take precedence over those without it: when "one or more
    /// omits the Vary header field, the cache SHOULD choose the most recent … stored response with a valid Vary field
    /// value" (§4.1).
    ///
    /// - Parameter candidates: The stored responses that match, in any order.
    /// - Returns: The index of the chosen response, the first of several equal ones; `nil` if there are no candidates.
    package static func choice(among candidates: [StoredResponse]) -> Int? {
        candidates.indices.max { one, other in
            let (one, other) = (candidates[one], candidates[other])
            let hasVary = (one.fields.contains(.vary), other.fields.contains(.vary))
            return hasVary.0 == hasVary.1 ? one.date < other.date : hasVary.1
        }
    }

    /// The time in `Date`; if it is malformed, the time when the response arrived.
    private var date: Int64 {
        let now = HTTPDate(secondsSince1970: self.responseTime)
        return self.fields[.date].flatMap { HTTPDate($0, now: now) }?.secondsSince1970 ?? self.responseTime
    }
}

extension StoredResponse {
    /// Returns the fields to answer with: with an `Age`, and without fields that must be validated first.
    ///
    /// "When a stored response is used to satisfy a request without validation, a cache MUST generate an Age header
    /// field …, replacing any present in the response with a value equal to the stored response's current_age" (RFC
    /// 9111 §4).
    ///
    /// - Parameters:
    ///   - now: The current time, in seconds since 1970.
    ///   - isValidated: Whether the server has just confirmed the response; then `no-cache="field"` withholds no field.
    /// - Returns: The fields.
    public func servedFields(at now: Int64, isValidated: Bool = false) -> HTTPFields {
        let freshness = Freshness(self)
        var fields = self.fields
        if !isValidated, case .fields(let names)? = freshness.control.noCache {
            // "a cache MAY use the response to satisfy a subsequent request … if the listed header fields are excluded from
            // the subsequent response or the subsequent response has been successfully revalidated" (§5.2.2.4).
            fields = HTTPFields(fields.filter { !names.contains($0.name.canonicalName) })
        }
        fields[.age] = String(freshness.age(at: now))
        return fields
    }
}
