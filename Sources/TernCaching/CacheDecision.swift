// SPDX-License-Identifier: Apache-2.0
public import HTTPTypes
import TernRequests

/// The suggested action for a request, given the stored response (RFC 9111 §4).
public enum CacheDecision: Hashable, Sendable {
    /// Answer with the stored response.
    case serve(isStale: Bool)
    /// Answer with the stale stored response, and revalidate it in the background (RFC 5861 §3).
    case serveWhileRevalidating
    /// Ask the server with these additional fields whether the stored response is current, and if it is, answer with it (RFC 9111
    /// §4.3).
    case revalidate(HTTPFields)
    /// Send the request to the server, and store the response if the cache may store it.
    case forward
    /// Refuse the request, because the caller allows only a stored response, and none is usable.
    case refuse

    /// Returns whether a cache may answer a request for a whole resource: a GET or HEAD without `no-store`, and without
    /// fields such as `Range`, `Upgrade` or `If-Match`.
    public static func concerns(_ method: HTTPRequest.Method, _ fields: HTTPFields) -> Bool {
        guard method == .get || method == .head else { return false }
        return !Self.bypassesCache(fields) && !fields.contains(.range) && !fields.contains(.ifRange)
    }

    /// Returns whether a cache may take the requested part from a stored whole response, for GET only (RFC 9110 §14.2).
    package static func concernsPart(_ method: HTTPRequest.Method, _ fields: HTTPFields) -> Bool {
        method == .get && fields.contains(.range) && !Self.bypassesCache(fields)
    }

    private static func bypassesCache(_ fields: HTTPFields) -> Bool {
        let names: [HTTPField.Name] = [.ifMatch, .ifNoneMatch, .ifModifiedSince, .ifUnmodifiedSince, .upgrade]
        return names.contains(where: fields.contains) || CacheControl(fields).noStore
    }

    /// Decides what a cache does about a request at `now`, in seconds since 1970, given the matching stored response, if any (RFC
    /// 9111 §4).
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
            // RFC 8246 §2: an immutable response does not change while it is fresh, so it needs no revalidation.
            return policy == .revalidate && isFresh && control.isImmutable ? .serve(isStale: false) : ask
        }
        // §5.2.1.1: "the client prefers a response whose age is less than or equal to the specified number of seconds".
        // §5.2.1.2: max-stale accepts a response that "has exceeded its freshness lifetime by no more than" that time.
        // So max-stale is added to the maximum age.
        if let maxAge = wishes.maxAge {
            let (limit, isOverflow) = maxAge.addingReportingOverflow(wishes.maxStale ?? 0)
            if !isOverflow, freshness.age(at: now) > limit { return ask }
        }
        if isFresh {
            // §5.2.1.3: min-fresh accepts a response that stays fresh "for at least the specified number of seconds".
            let isLongEnough = wishes.minFresh.map { -freshness.staleness(at: now) >= $0 } ?? true
            return isLongEnough ? .serve(isStale: false) : ask
        }
        guard !freshness.forbidsStale, wishes.minFresh == nil else { return ask }
        let staleness = freshness.staleness(at: now)
        if let maxStale = wishes.maxStale, staleness <= maxStale { return .serve(isStale: true) }
        // A max-age in the request has priority over a stale-while-revalidate in the response.
        if wishes.maxAge == nil, let window = control.staleWhileRevalidate, staleness <= window {
            return .serveWhileRevalidating
        }
        return ask
    }

    /// Returns whether `stale-if-error` allows the stored response after the server failed or could not be reached (RFC 5861 §4).
    ///
    /// The directive may be in the response or the request, and `must-revalidate` overrides it. `now` is in seconds since 1970.
    public static func allowsOnError(_ stored: StoredResponse, _ request: HTTPFields, now: Int64) -> Bool {
        let freshness = Freshness(stored)
        let wishes = CacheControl(request)
        guard !freshness.forbidsStale, wishes.noCache == nil, !wishes.isMalformed else { return false }
        // The directive of the response has priority over that of the request.
        guard let window = freshness.control.staleIfError ?? wishes.staleIfError else { return false }
        return freshness.staleness(at: now) <= window
    }

    /// Returns whether a status is an error for `stale-if-error` (RFC 5861 §4): 500, 502, 503 or 504.
    public static func isError(_ statusCode: Int) -> Bool { [500, 502, 503, 504].contains(statusCode) }

    /// Returns whether a response invalidates the stored ones for its URL (RFC 9111 §4.4): a 2xx or 3xx to an unsafe or unknown
    /// method.
    public static func invalidates(_ method: HTTPRequest.Method, _ statusCode: Int) -> Bool {
        !method.isSafe && 200..<400 ~= statusCode
    }
}
