// SPDX-License-Identifier: Apache-2.0
public import HTTPTypes
import TernRequests

/// The head of a response as a cache keeps it: without what was for one connection or one moment.
public struct StoredResponse: Hashable, Sendable {
    /// The status code.
    public var statusCode: Int
    /// The reason phrase, as received.
    public var reasonPhrase: String
    /// The fields, as received but for those that ``storedFields(of:receivedAt:)`` leaves out.
    public var fields: HTTPFields
    /// When the request was sent, in seconds since 1970 (`request_time` in RFC 9111 §4.2.3).
    public var requestTime: Int64
    /// When the response came, in seconds since 1970 (`response_time` in RFC 9111 §4.2.3).
    public var responseTime: Int64
    /// Which requests it answers, of all for its URL.
    public var variant: Variant

    /// Creates a head to be stored.
    ///
    /// - Parameters:
    ///   - statusCode: the status code.
    ///   - reasonPhrase: the reason phrase; empty by default.
    ///   - fields: the fields, of which those are left out that must not be stored.
    ///   - requestTime: when the request was sent, in seconds since 1970.
    ///   - responseTime: when the response came, in seconds since 1970.
    ///   - variant: which requests it answers; all by default.
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

    /// Creates a head that was stored before.
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

    /// The `ETag`, of which the stored one and another are compared weakly (RFC 9110 §8.8.3.2); `nil` if there is none.
    public var entityTag: String? { self.fields[.eTag] }

    /// The text of `Last-Modified`; `nil` if there is none.
    public var lastModified: String? { self.fields[.lastModified] }

    /// The fields that ask whether the response is current still (RFC 9111 §4.3.1); empty if it cannot be asked.
    public var validators: HTTPFields {
        var fields = HTTPFields()
        // "A cache MUST send the relevant entity tags … if the entity tags were provided in the stored response(s) being
        // validated", and SHOULD send Last-Modified (§4.3.1).
        if let entityTag { fields[.ifNoneMatch] = entityTag }
        if let lastModified { fields[.ifModifiedSince] = lastModified }
        return fields
    }

    // MARK: What is stored

    /// The fields without those that are for one connection or one moment, and with a `Date`.
    ///
    /// "Caches MUST include all received response header fields … when storing a response", but for `Connection`, the
    /// fields it names, and those for a proxy (RFC 9111 §3.1). `Set-Cookie` is left out, too: who keeps cookies got it
    /// when it came, and it is not for the moment at which the response is used again. The same goes for the proofs of
    /// authentication.
    ///
    /// "A recipient with a clock that receives a response message without a Date header field MUST record the time it was
    /// received and append a corresponding Date header field … if it is cached" (RFC 9110 §6.6.1).
    ///
    /// - Parameters:
    ///   - fields: the fields as received.
    ///   - time: when they were, in seconds since 1970.
    /// - Returns: the fields to keep.
    public static func storedFields(of fields: HTTPFields, receivedAt time: Int64) -> HTTPFields {
        var dropped = Self.momentaryFields
        for value in fields[values: .connection] {
            for name in value.split(whereSeparator: { $0 == "," || $0 == " " || $0 == "\t" }) {
                dropped.insert(name.lowercased())
            }
        }
        var kept = HTTPFields(fields.filter { !dropped.contains($0.name.canonicalName) })
        if !kept.contains(.date) { kept[.date] = HTTPDate(secondsSince1970: time).description }
        return kept
    }

    private static let momentaryFields: Set<String> = [
        "connection", "keep-alive", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade",
        "proxy-authenticate", "proxy-authentication-info", "proxy-authorization", "set-cookie", "set-cookie2",
        "authentication-info", "www-authenticate",
    ]
}

extension StoredResponse: CustomStringConvertible {
    /// The status only: fields may hold secrets.
    public var description: String { "stored response \(self.statusCode)" }
}

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

extension StoredResponse {
    /// The fields to answer with: with an `Age`, and without what must be validated first.
    ///
    /// "When a stored response is used to satisfy a request without validation, a cache MUST generate an Age header field
    /// …, replacing any present in the response with a value equal to the stored response's current_age" (RFC 9111 §4).
    ///
    /// - Parameters:
    ///   - now: the present, in seconds since 1970.
    ///   - isValidated: whether the server has just confirmed the response; then `no-cache="field"` withholds nothing.
    /// - Returns: the fields.
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
