// SPDX-License-Identifier: Apache-2.0
public import HTTPTypes
import TernRequests

/// The decision about a request, given the stored response; it has no effects.
///
/// This enumeration is closed: a cache can do nothing else about a request (RFC 9111 §4).
public enum CacheDecision: Hashable, Sendable {
    /// Answer with the stored response.
    case serve(isStale: Bool)
    /// Answer with the stored response, which is stale, and revalidate it in the background (RFC 5861 §3).
    case serveWhileRevalidating
    /// Ask the server with these fields whether the stored response is current, and use it if it is (RFC 9111 §4.3).
    case revalidate(HTTPFields)
    /// Send the request to the server, and store the answer.
    case forward
    /// Do not send the request: only a stored response is allowed, and no usable one is stored.
    case refuse

    /// Returns whether a cache may answer a request.
    ///
    /// A request with the caller's own condition (RFC 9111 §4.3.1), or with `no-store`, bypasses the cache. So does a
    /// request for a part of a resource, unless a whole response with that part is stored.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - fields: The fields.
    /// - Returns: Whether to look for a stored response.
    public static func concerns(_ method: HTTPRequest.Method, _ fields: HTTPFields) -> Bool {
        guard method == .get || method == .head else { return false }
        return !Self.bypassesCache(fields) && !fields.contains(.range) && !fields.contains(.ifRange)
    }

    /// Returns whether a request asks for a part of a resource, which a stored whole response may contain.
    ///
    /// "For this specification, GET is the only method for which range handling is defined" (RFC 9110 §14.2).
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - fields: The fields.
    /// - Returns: Whether to look for a stored response that contains the part.
    package static func concernsPart(_ method: HTTPRequest.Method, _ fields: HTTPFields) -> Bool {
        method == .get && fields.contains(.range) && !Self.bypassesCache(fields)
    }

    /// Returns whether a request bypasses the cache: it has a condition, asks for an upgrade, or wants nothing stored.
    private static func bypassesCache(_ fields: HTTPFields) -> Bool {
        let names: [HTTPField.Name] = [.ifMatch, .ifNoneMatch, .ifModifiedSince, .ifUnmodifiedSince, .upgrade]
        return names.contains(where: fields.contains) || CacheControl(fields).noStore
    }

    /// Creates a decision (RFC 9111 §4).
    ///
    /// - Parameters:
    ///   - request: The fields of the request.
    ///   - policy: The cache policy.
    ///   - stored: The stored response that matches the request; `nil` if there is none.
    ///   - now: The current time, in seconds since 1970.
    public init(_ request: HTTPFields, _ policy: CachePolicy, stored: StoredResponse?, now: Int64) {
        let wishes = CacheControl(request)
        let isCachedOnly = policy == .onlyCached || wishes.onlyIfCached
        guard let stored, policy != .reload else {
            self = isCachedOnly ? .refuse : .forward
            return
        }
        self = Self.use(of: stored, Freshness(stored), wishes, policy, now)
        guard isCachedOnly else { return }
        switch self {
        case .serveWhileRevalidating: self = .serve(isStale: true)
        case .revalidate, .forward: self = .refuse
        case .serve, .refuse: break
        }
    }

    private static func use(
        of stored: StoredResponse,
        _ freshness: Freshness,
        _ wishes: CacheControl,
        _ policy: CachePolicy,
        _ now: Int64
    ) -> CacheDecision {
        let validators = stored.validators
        let ask: CacheDecision = validators.isEmpty ? .forward : .revalidate(validators)
        let control = freshness.control
        let isFresh = freshness.isFresh(at: now)
        // "the stored response does not contain the no-cache directive, unless it is successfully validated" (§4).
        if control.noCache == .all || control.isMalformed { return ask }
        if policy == .returnCachedElseLoad || policy == .onlyCached {
            return isFresh ? .serve(isStale: false) : freshness.forbidsStale ? ask : .serve(isStale: true)
        }
        if policy == .revalidate || wishes.demandsValidation || wishes.isMalformed {
            // RFC 8246 §2: a response that does not change while it is fresh is not revalidated by a reload.
            return policy == .revalidate && isFresh && control.isImmutable ? .serve(isStale: false) : ask
        }
        // §5.2.1.1: "the client prefers a response whose age is less than or equal to the specified number of seconds".
        // §5.2.1.2: max-stale accepts a response that "has exceeded its freshness lifetime by no more than" that time,
        // and therefore also one that has exceeded the request's maximum age.
        if let maxAge = wishes.maxAge {
            let (limit, isOverflow) = maxAge.addingReportingOverflow(wishes.maxStale ?? 0)
            if !isOverflow, freshness.age(at: now) > limit { return ask }
        }
        if isFresh {
            // §5.2.1.3: fresh "for at least the specified number of seconds".
            let isLongEnough = wishes.minFresh.map { -freshness.staleness(at: now) >= $0 } ?? true
            return isLongEnough ? .serve(isStale: false) : ask
        }
        guard !freshness.forbidsStale, wishes.minFresh == nil else { return ask }
        let staleness = freshness.staleness(at: now)
        if let maxStale = wishes.maxStale, staleness <= maxStale { return .serve(isStale: true) }
        // A max-age in the request asks for a response that is no older; this has priority over what the response
        // allows.
        if wishes.maxAge == nil, let window = control.staleWhileRevalidate, staleness <= window {
            return .serveWhileRevalidating
        }
        return ask
    }

    /// Returns whether a stale response may be used because the server could not be reached, or failed (RFC 5861 §4).
    ///
    /// - Parameters:
    ///   - stored: The stored response.
    ///   - request: The fields of the request, which may also allow it.
    ///   - now: The current time, in seconds since 1970.
    /// - Returns: `true` within the time of `stale-if-error`, unless another directive forbids it.
    public static func allowsOnError(_ stored: StoredResponse, _ request: HTTPFields, now: Int64) -> Bool {
        let freshness = Freshness(stored)
        let wishes = CacheControl(request)
        guard !freshness.forbidsStale, wishes.noCache == nil, !wishes.isMalformed else { return false }
        // The response's directive has priority over the request's.
        guard let window = freshness.control.staleIfError ?? wishes.staleIfError else { return false }
        return freshness.staleness(at: now) <= window
    }

    /// Returns whether a status is an error for `stale-if-error` (RFC 5861 §4).
    ///
    /// - Parameter statusCode: The status code of the answer.
    /// - Returns: `true` for 500, 502, 503 and 504.
    public static func isError(_ statusCode: Int) -> Bool { [500, 502, 503, 504].contains(statusCode) }

    /// Returns whether the answer to a request invalidates the stored responses for its URL (RFC 9111 §4.4).
    ///
    /// "A cache MUST invalidate the target URI … when it receives a non-error status code in response to an unsafe
    /// request method (including methods whose safety is unknown)"; 2xx and 3xx are not errors.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - statusCode: The status code of the answer.
    /// - Returns: Whether to remove the stored responses.
    public static func invalidates(_ method: HTTPRequest.Method, _ statusCode: Int) -> Bool {
        !method.isSafe && 200..<400 ~= statusCode
    }
}
