// SPDX-License-Identifier: Apache-2.0
public import HTTPTypes
import TernRequests

/// The head of a response in the cache, without fields that apply only to one connection or to one moment.
public struct StoredResponse: Hashable, Sendable {
    /// The status code.
    public var statusCode: Int
    /// The reason phrase, as received.
    public var reasonPhrase: String
    /// The fields as received, with the changes that ``storedFields(of:receivedAt:)`` makes.
    public var fields: HTTPFields
    /// The time when the request was sent, in seconds since 1970 (`request_time` in RFC 9111 §4.2.3).
    public var requestTime: Int64
    /// The time when the response arrived, in seconds since 1970 (`response_time` in RFC 9111 §4.2.3).
    public var responseTime: Int64
    /// The requests for the same URL that this response may answer, as its `Vary` field determines.
    public var variant: Variant

    /// Creates a head to store.
    ///
    /// - Parameters:
    ///   - statusCode: The status code.
    ///   - reasonPhrase: The reason phrase. Defaults to an empty string.
    ///   - fields: The received fields. Fields that must not be stored are left out.
    ///   - requestTime: The time when the request was sent, in seconds since 1970.
    ///   - responseTime: The time when the response arrived, in seconds since 1970.
    ///   - variant: The requests for the same URL that this response may answer. Defaults to all requests for the URL.
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

    /// Creates a head from values that were stored before, without leaving out fields.
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

    /// The value of `ETag`, or `nil` if the response has no `ETag`.
    ///
    /// To validate a response, a cache compares entity tags weakly (RFC 9110 §8.8.3.2): `W/"1"` and `"1"` are equal.
    /// For `If-Range`, a cache compares entity tags strongly.
    public var entityTag: String? { self.fields[.eTag] }

    /// The text of `Last-Modified`, or `nil` if the response has no `Last-Modified`.
    public var lastModified: String? { self.fields[.lastModified] }

    /// The request fields with which to ask the server whether the response is still current (RFC 9111 §4.3.1).
    ///
    /// The result is empty if the response has no validators.
    public var validators: HTTPFields {
        var fields = HTTPFields()
        // "A cache MUST send the relevant entity tags … if the entity tags were provided in the stored response(s)
        // being validated", and SHOULD send Last-Modified (§4.3.1).
        if let entityTag { fields[.ifNoneMatch] = entityTag }
        if let lastModified { fields[.ifModifiedSince] = lastModified }
        return fields
    }

    // MARK: What is stored

    /// Returns the fields to store: without fields that apply only to one connection or one moment, and with a `Date`.
    ///
    /// "Caches MUST include all received response header fields … when storing a response", except `Connection`, the
    /// fields that it names, and fields for a proxy (RFC 9111 §3.1). `Set-Cookie` is left out as well: the cookie store
    /// received the cookies when the response arrived, and must not receive them again when the cache uses the
    /// response. Challenges and proofs of authentication are left out because they apply only to one request.
    ///
    /// "A recipient with a clock that receives a response message without a Date header field MUST record the time it
    /// was received and append a corresponding Date header field … if it is cached" (RFC 9110 §6.6.1).
    ///
    /// - Parameters:
    ///   - fields: The received fields.
    ///   - time: The time when the response arrived, in seconds since 1970.
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
    /// A text with only the status code, because fields may contain secrets.
    public var description: String { "stored response \(self.statusCode)" }
}

extension StoredResponse {
    /// Chooses one of several stored responses that match a request.
    ///
    /// "When more than one suitable response is stored, a cache MUST use the most recent one (as determined by the Date
    /// header field)" (RFC 9111 §4). Responses with `Vary` take precedence over responses without it: when "one or more
    /// omits the Vary header field, the cache SHOULD choose the most recent … stored response with a valid Vary field
    /// value" (§4.1).
    ///
    /// - Parameter candidates: The stored responses that match, in any order.
    /// - Returns: The index of the chosen response, or `nil` if there are no candidates. If several responses are
    ///   equally suitable, the first is chosen.
    package static func choice(among candidates: [StoredResponse]) -> Int? {
        candidates.indices.max { one, other in
            let (one, other) = (candidates[one], candidates[other])
            let hasVary = (one.fields.contains(.vary), other.fields.contains(.vary))
            return hasVary.0 == hasVary.1 ? one.date < other.date : hasVary.1
        }
    }

    /// The time in `Date`, or the time when the response arrived if `Date` is missing or malformed.
    private var date: Int64 {
        let now = HTTPDate(secondsSince1970: self.responseTime)
        return self.fields[.date].flatMap { HTTPDate($0, now: now) }?.secondsSince1970 ?? self.responseTime
    }
}

extension StoredResponse {
    /// Returns the fields with which the cache answers a request: with an `Age`, and without fields that the server
    /// must confirm first.
    ///
    /// "When a stored response is used to satisfy a request without validation, a cache MUST generate an Age header
    /// field …, replacing any present in the response with a value equal to the stored response's current_age" (RFC
    /// 9111 §4).
    ///
    /// - Parameters:
    ///   - now: The current time, in seconds since 1970.
    ///   - isValidated: Whether the server has just confirmed the response. If `true`, fields that `no-cache="field"`
    ///     names are included. Defaults to `false`.
    /// - Returns: The fields.
    public func servedFields(at now: Int64, isValidated: Bool = false) -> HTTPFields {
        let freshness = Freshness(self)
        var fields = self.fields
        if !isValidated, case .fields(let names)? = freshness.control.noCache {
            // "a cache MAY use the response to satisfy a subsequent request … if the listed header fields are excluded
            // from the subsequent response or the subsequent response has been successfully revalidated" (§5.2.2.4).
            fields = HTTPFields(fields.filter { !names.contains($0.name.canonicalName) })
        }
        fields[.age] = String(freshness.age(at: now))
        return fields
    }
}
