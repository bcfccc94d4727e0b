// SPDX-License-Identifier: Apache-2.0
public import HTTPTypes

/// The directives of `Cache-Control` that concern a private cache, in a request or a response (RFC 9111 §5.2).
///
/// A property for a time is `nil` if its directive is absent. As a rule, unknown directives are ignored (§5.2.3), and
/// contradictory or malformed ones have the safest meaning: for example, the response is not stored.
public struct CacheControl: Hashable, Sendable {
    /// The part of a response to which a directive applies (RFC 9111 §5.2.2): the whole response, or only the fields that the
    /// directive names.
    public enum Extent: Hashable, Sendable {
        /// The whole response.
        case all
        /// The fields that the directive names, in lower case.
        case fields(Set<String>)
    }

    /// The largest value of a directive in seconds, 2^31, which stands for infinity (RFC 9111 §1.2.2).
    public static let maximumSeconds: Int64 = 1 << 31
    /// The maximum number of bytes of all `Cache-Control` values of a message together.
    package static let maximumByteCount = 8 << 10
    /// The maximum number of directives, of which about fifteen exist.
    package static let maximumDirectiveCount = 64

    /// In a response, the number of seconds for which it is fresh (RFC 9111 §5.2.2.1); in a request, the maximum age that it
    /// prefers (§5.2.1.1).
    public internal(set) var maxAge: Int64?
    /// The longest staleness that a request accepts, in seconds (RFC 9111 §5.2.1.2); 2^31 if the directive names no time.
    public internal(set) var maxStale: Int64?
    /// The seconds for which a request prefers a response to stay fresh (RFC 9111 §5.2.1.3).
    public internal(set) var minFresh: Int64?
    /// The seconds for which a cache may use a stale response during revalidation in the background (RFC 5861 §3).
    public internal(set) var staleWhileRevalidate: Int64?
    /// The seconds for which a cache may use a stale response after an error (RFC 5861 §4).
    public internal(set) var staleIfError: Int64?
    /// The part of the response that `no-cache` lets a cache use only after revalidation (RFC 9111 §5.2.1.4, §5.2.2.4).
    public internal(set) var noCache: Extent?
    /// Whether a cache must not store the response, unless ``mustUnderstand`` applies (RFC 9111 §5.2.1.5, §5.2.2.5).
    public internal(set) var noStore = false
    /// Whether a cache must revalidate a stale response before using it (RFC 9111 §5.2.2.2).
    public internal(set) var mustRevalidate = false
    /// Whether a cache may store the response only if it understands the status code, and then despite ``noStore`` (§5.2.2.3).
    public internal(set) var mustUnderstand = false
    /// Whether a cache may store the response even if nothing else in the response allows it (RFC 9111 §5.2.2.9).
    public internal(set) var isPublic = false
    /// Whether the response or a part is for a single user, so that only a private cache may store that (RFC 9111 §5.2.2.7).
    public internal(set) var isPrivate = false
    /// Whether the response does not change while it is fresh (RFC 8246 §2).
    public internal(set) var isImmutable = false
    /// Whether the request accepts only a stored response (RFC 9111 §5.2.1.7).
    public internal(set) var onlyIfCached = false
    /// Whether the message has a `Cache-Control` field.
    public internal(set) var isPresent = false
    /// Whether the directives break the grammar, or are too long or too many.
    ///
    /// The cache does not store a response with such directives. As a rule, a request with them gets no stored response without
    /// revalidation. A word in place of a time, as in `max-age=1h`, is not such an error: the time then has its safest value.
    public internal(set) var isMalformed = false

    /// Whether a request demands revalidation even of a fresh response: a reload's `max-age=0` would otherwise be answered with a
    /// response of the current second (RFC 9111 §5.2.1.1).
    package var demandsValidation: Bool { self.noCache != nil || self.maxAge == 0 && (self.maxStale ?? 0) == 0 }

    /// Creates directives from the fields of a message; without `Cache-Control`, `Pragma: no-cache` counts (RFC 9111 §5.4).
    public init(_ fields: HTTPFields) {
        let values = fields[values: .cacheControl]
        self.init(values)
        guard values.isEmpty, let pragma = HTTPField.Name("Pragma") else { return }
        let says = CacheControl(fields[values: pragma])
        if says.noCache != nil { self.noCache = .all }
    }

    /// Creates directives from the values of all lines of `Cache-Control`.
    public init(_ values: [String]) {
        self.isPresent = !values.isEmpty
        guard values.reduce(0, { $0 + $1.utf8.count }) <= Self.maximumByteCount else {
            // No honest server sends so many bytes or directives: do not store the response.
            self.isMalformed = true
            self.noStore = true
            return
        }
        var count = 0
        for value in values {
            var parser = DirectiveParser(value)
            while let directive = parser.next() {
                count += 1
                guard count <= Self.maximumDirectiveCount else {
                    self.isMalformed = true
                    self.noStore = true
                    return
                }
                self.take(directive)
            }
            if parser.isMalformed { self.isMalformed = true }
        }
    }

    private mutating func take(_ directive: DirectiveParser.Directive) {
        let argument = directive.argument
        switch directive.name {
        case "max-age": Self.shorten(&self.maxAge, argument)
        case "min-fresh": self.minFresh = max(self.minFresh ?? 0, Self.seconds(argument) ?? Self.maximumSeconds)
        case "max-stale":
            if argument != nil {
                Self.shorten(&self.maxStale, argument)
            } else if self.maxStale == nil {
                self.maxStale = Self.maximumSeconds
            }
        case "stale-while-revalidate": Self.shorten(&self.staleWhileRevalidate, argument)
        case "stale-if-error": Self.shorten(&self.staleIfError, argument)
        case "no-cache": self.noCache = Self.joined(self.noCache, argument)
        case "private": self.isPrivate = true
        case "no-store": self.noStore = true
        case "must-revalidate": self.mustRevalidate = true
        case "must-understand": self.mustUnderstand = true
        case "public": self.isPublic = true
        case "immutable": self.isImmutable = true
        case "only-if-cached": self.onlyIfCached = true
        default: break
        }
    }

    /// Makes the time zero, so that the response counts as stale, if the argument is malformed or differs from an earlier one:
    /// "either the first occurrence should be used or the response should be considered stale" (RFC 9111 §4.2.1).
    private static func shorten(_ time: inout Int64?, _ argument: String?) {
        let seconds = Self.seconds(argument) ?? 0
        if let known = time, known != seconds {
            time = 0
        } else {
            time = seconds
        }
    }

    /// Returns a number of at most 2^31: "the cache MUST consider the value to be 2147483648 … or the greatest positive integer
    /// it can conveniently represent" (RFC 9111 §1.2.2).
    package static func seconds(_ text: String?) -> Int64? {
        guard let text, !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        var seconds: Int64 = 0
        for digit in text.utf8 {
            seconds = min(seconds * 10 + Int64(digit - 0x30), Self.maximumSeconds)
        }
        return seconds
    }

    /// Combines the fields that two `no-cache` directives name; without names, the result is the whole response.
    private static func joined(_ known: Extent?, _ argument: String?) -> Extent {
        guard let argument, known != .all else { return .all }
        let names = argument.split(whereSeparator: { $0 == "," || $0 == " " || $0 == "\t" }).map { $0.lowercased() }
        // Without a field name, or with an invalid name, the directive applies to the whole response. This is the safe
        // reading.
        guard !names.isEmpty, names.allSatisfy({ HTTPField.Name($0) != nil }) else { return .all }
        if case .fields(let others)? = known { return .fields(others.union(names)) }
        return .fields(Set(names))
    }
}
