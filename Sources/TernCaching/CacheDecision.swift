// SPDX-License-Identifier: Apache-2.0
public import HTTPTypes
import TernRequests

/// What to do about a request, given what is stored for it: decides, and does nothing.
///
/// Closed: these are all that a cache can do about a request (RFC 9111 §4).
public enum CacheDecision: Hashable, Sendable {
    /// Answer with what is stored.
    case serve(isStale: Bool)
    /// Answer with what is stored, which is stale, and validate it meanwhile (RFC 5861 §3).
    case serveWhileRevalidating
    /// Ask whether what is stored is current, by these fields, and use it if it is (RFC 9111 §4.3).
    case revalidate(HTTPFields)
    /// Ask the server, and store the answer.
    case forward
    /// Do not ask: only a stored response is wanted, and there is none that may be used.
    case refuse

    /// Whether a cache has anything to say to a request.
    ///
    /// A condition of the caller's own (RFC 9111 §4.3.1) goes through untouched, as does what must not be stored. So does a
    /// request for a part of a resource, unless a whole response is stored that has it.
    ///
    /// - Parameters:
    ///   - method: the method.
    ///   - fields: the fields.
    /// - Returns: whether to look for a stored response.
    public static func concerns(_ method: HTTPRequest.Method, _ fields: HTTPFields) -> Bool {
        guard method == .get || method == .head else { return false }
        return !Self.isPassing(fields) && !fields.contains(.range) && !fields.contains(.ifRange)
    }

    /// Whether a request asks for a part of a resource that a whole response may have.
    ///
    /// "For this specification, GET is the only method for which range handling is defined" (RFC 9110 §14.2).
    ///
    /// - Parameters:
    ///   - method: the method.
    ///   - fields: the fields.
    /// - Returns: whether to look for a stored response to cut the part from.
    package static func concernsPart(_ method: HTTPRequest.Method, _ fields: HTTPFields) -> Bool {
        method == .get && fields.contains(.range) && !Self.isPassing(fields)
    }

    /// Whether a request asks for what a cache cannot know, or wants nothing stored.
    private static func isPassing(_ fields: HTTPFields) -> Bool {
        let names: [HTTPField.Name] = [.ifMatch, .ifNoneMatch, .ifModifiedSince, .ifUnmodifiedSince, .upgrade]
        return names.contains(where: fields.contains) || CacheControl(fields).noStore
    }

    /// Decides (RFC 9111 §4).
    ///
    /// - Parameters:
    ///   - request: the fields of the request.
    ///   - policy: how the cache is to be used.
    ///   - stored: what is stored and answers the request; `nil` if nothing does.
    ///   - now: the present, in seconds since 1970.
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
            // RFC 8246 §2: a response that does not change while it is fresh is not asked for by a reload.
            return policy == .revalidate && isFresh && control.isImmutable ? .serve(isStale: false) : ask
        }
        // §5.2.1.1: "the client prefers a response whose age is less than or equal to the specified number of seconds".
        // §5.2.1.2: with max-stale, a response that "has exceeded its freshness lifetime by no more than" that, and so one that
        // has exceeded the age that the request gives.
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
        // A max-age of the request asks for what is no older; that goes before what the response allows.
        if wishes.maxAge == nil, let window = control.staleWhileRevalidate, staleness <= window {
            return .serveWhileRevalidating
        }
        return ask
    }

    /// Whether a stale response may be used because the server could not be asked, or failed (RFC 5861 §4).
    ///
    /// - Parameters:
    ///   - stored: the stored response.
    ///   - request: the fields of the request, which may allow it as well.
    ///   - now: the present, in seconds since 1970.
    /// - Returns: `true` within `stale-if-error` of either, unless that is forbidden.
    public static func allowsOnError(_ stored: StoredResponse, _ request: HTTPFields, now: Int64) -> Bool {
        let freshness = Freshness(stored)
        let wishes = CacheControl(request)
        guard !freshness.forbidsStale, wishes.noCache == nil, !wishes.isMalformed else { return false }
        // The response's own word goes before the request's.
        guard let window = freshness.control.staleIfError ?? wishes.staleIfError else { return false }
        return freshness.staleness(at: now) <= window
    }

    /// Whether a status is an error for `stale-if-error` (RFC 5861 §4).
    ///
    /// - Parameter statusCode: the status code of the answer.
    /// - Returns: `true` for 500, 502, 503 and 504.
    public static func isError(_ statusCode: Int) -> Bool { [500, 502, 503, 504].contains(statusCode) }

    /// Whether the answer to a request makes what is stored for its URL invalid (RFC 9111 §4.4).
    ///
    /// "A cache MUST invalidate the target URI … when it receives a non-error status code in response to an unsafe request
    /// method (including methods whose safety is unknown)"; 2xx and 3xx are no errors.
    ///
    /// - Parameters:
    ///   - method: the method.
    ///   - statusCode: the status code of the answer.
    /// - Returns: whether to remove what is stored.
    public static func invalidates(_ method: HTTPRequest.Method, _ statusCode: Int) -> Bool {
        !method.isSafe && 200..<400 ~= statusCode
    }
}
