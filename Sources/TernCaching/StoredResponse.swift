// SPDX-License-Identifier: Apache-2.0
public import HTTPTypes
import TernRequests

/// The head of a response in the cache.
public struct StoredResponse: Hashable, Sendable {
    /// The status code.
    public var statusCode: Int
    /// The reason phrase.
    public var reasonPhrase: String
    /// The received fields, as ``storedFields(of:receivedAt:)`` and ``updated(by:requestTime:responseTime:)`` change them.
    public var fields: HTTPFields
    /// The time of the request for the response or its latest update, in seconds since 1970 (`request_time` in RFC 9111 §4.2.3).
    public var requestTime: Int64
    /// The time when the response or its latest update arrived, in seconds since 1970 (`response_time` in RFC 9111 §4.2.3).
    public var responseTime: Int64
    /// The request fields to compare before this response answers another request.
    public var variant: Variant

    /// Creates a head to store, without the fields that must not be stored.
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

    /// The value of `ETag`, which a cache compares weakly to validate a response (RFC 9110 §8.8.3.2), and strongly for
    /// `If-Range`.
    public var entityTag: String? { self.fields[.eTag] }

    /// The text of `Last-Modified`.
    public var lastModified: String? { self.fields[.lastModified] }

    /// The request fields that ask the server whether the response is still current (RFC 9111 §4.3.1); empty without validators.
    public var validators: HTTPFields {
        var fields = HTTPFields()
        // "A cache MUST send the relevant entity tags … if the entity tags were provided in the stored response(s)
        // being validated", and SHOULD send Last-Modified (§4.3.1).
        if let entityTag { fields[.ifNoneMatch] = entityTag }
        if let lastModified { fields[.ifModifiedSince] = lastModified }
        return fields
    }

    // MARK: What is stored

    /// Returns the fields to store: without some, such as `Connection`, and with a `Date`.
    ///
    /// Left out are, for example, `Connection`, the fields that it names, and authentication fields of proxies (RFC 9111 §3.1)
    /// and servers. `Set-Cookie` is left out because the cookie store must not receive the cookies again. A missing
    /// `Date` is the time of arrival (RFC 9110 §6.6.1).
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
    /// Returns the index of the most recent candidate with a `Vary`, or else of the most recent one, "as determined by the Date
    /// header field" (RFC 9111 §4, §4.1).
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
    /// Returns the fields for an answer at `now`, in seconds since 1970: the stored ones with an `Age` (RFC 9111 §4).
    ///
    /// Unless the server has just confirmed the response (`isValidated`), the fields that `no-cache="field"` names are left out.
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
