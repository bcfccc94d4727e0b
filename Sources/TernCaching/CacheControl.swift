// SPDX-License-Identifier: Apache-2.0
public import HTTPTypes

/// The directives of `Cache-Control` in a request or a response (RFC 9111 §5.2), as far as they concern a private
/// cache.
///
/// Unknown directives are ignored (§5.2.3). Contradictory and malformed directives have the safest meaning: the
/// response is stale, or must be revalidated.
public struct CacheControl: Hashable, Sendable {
    /// The part of a response that a directive applies to.
    ///
    /// This enumeration is closed: RFC 9111 §5.2.2 defines these two forms.
    public enum Extent: Hashable, Sendable {
        /// The whole response.
        case all
        /// The fields that the directive names, in lower case.
        case fields(Set<String>)
    }

    /// The largest value of a directive in seconds, 2^31.
    ///
    /// A cache treats it as infinity (§1.2.2).
    public static let maximumSeconds: Int64 = 1 << 31
    /// The maximum number of bytes of all values together: as many as all fields of a short response have.
    public static let maximumByteCount = 8 << 10
    /// The maximum number of directives; about fifteen exist.
    public static let maximumDirectiveCount = 64

    /// The time for which the response is fresh, or the maximum age that the request accepts, in seconds (§5.2.1.1,
    /// §5.2.2.1).
    public internal(set) var maxAge: Int64?
    /// The staleness that a request accepts, in seconds (§5.2.1.2); 2^31 if it names no time.
    public internal(set) var maxStale: Int64?
    /// The time for which a response must remain fresh for the request, in seconds (§5.2.1.3).
    public internal(set) var minFresh: Int64?
    /// The time for which a stale response may be used while the client revalidates it, in seconds (RFC 5861 §3).
    public internal(set) var staleWhileRevalidate: Int64?
    /// The time for which a stale response may be used if revalidation fails, in seconds (RFC 5861 §4).
    public internal(set) var staleIfError: Int64?
    /// The part that must not be used without revalidation (§5.2.1.4, §5.2.2.4); `nil` without the directive.
    public internal(set) var noCache: Extent?
    /// Whether nothing may be stored (§5.2.1.5, §5.2.2.5).
    public internal(set) var noStore = false
    /// Whether a stale response must not be used without revalidation (§5.2.2.2).
    public internal(set) var mustRevalidate = false
    /// Whether only a cache that understands the response's status may store it (§5.2.2.3).
    public internal(set) var mustUnderstand = false
    /// Whether the response may be stored even if nothing else allows it (§5.2.2.9).
    public internal(set) var isPublic = false
    /// Whether the response is for a single user, such as the user of this cache (§5.2.2.7).
    public internal(set) var isPrivate = false
    /// Whether the response does not change while it is fresh (RFC 8246 §2).
    public internal(set) var isImmutable = false
    /// Whether the request allows only a stored response (§5.2.1.7).
    public internal(set) var onlyIfCached = false
    /// Whether the message has a `Cache-Control` field.
    public internal(set) var isPresent = false
    /// Whether a directive is malformed; the client then revalidates the response each time.
    public internal(set) var isMalformed = false

    /// Whether a request demands revalidation, however fresh the stored response is.
    ///
    /// `max-age=0`, which a reload sends, is such a demand unless `max-stale` is above 0. By its text it only limits the
    /// age: "the client prefers a response whose age is less than or equal to the specified number of seconds"
    /// (§5.2.1.1). A response stored within the current second has the age 0, so the cache would otherwise return it
    /// without asking the server.
    package var demandsValidation: Bool { self.noCache != nil || self.maxAge == 0 && (self.maxStale ?? 0) == 0 }

    /// Creates directives from the fields of a message.
    ///
    /// Without `Cache-Control`, `Pragma: no-cache` is used (§5.4).
    ///
    /// - Parameter fields: The fields of a request or a response.
    public init(_ fields: HTTPFields) {
        let values = fields[values: .cacheControl]
        self.init(values)
        guard values.isEmpty, let pragma = HTTPField.Name("Pragma") else { return }
        let says = CacheControl(fields[values: pragma])
        if says.noCache != nil { self.noCache = .all }
    }

    /// Creates directives from the values of `Cache-Control`.
    ///
    /// - Parameter values: One value for each line of the field.
    public init(_ values: [String]) {
        self.isPresent = !values.isEmpty
        guard values.reduce(0, { $0 + $1.utf8.count }) <= Self.maximumByteCount else {
            // No honest server sends this much: do not store the response.
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

    /// Sets the time of a directive.
    ///
    /// If the time already has another value, or the argument is malformed, the time becomes zero.
    ///
    /// "Caches are encouraged to consider responses that have invalid freshness information … to be stale", and of
    /// values that differ "either the first occurrence should be used or the response should be considered stale"
    /// (§4.2.1).
    private static func shorten(_ time: inout Int64?, _ argument: String?) {
        let seconds = Self.seconds(argument) ?? 0
        if let known = time, known != seconds {
            time = 0
        } else {
            time = seconds
        }
    }

    /// Returns the seconds that a text names (§1.2.2); `nil` if it is not a number.
    ///
    /// "If a cache receives a delta-seconds value greater than the greatest integer it can represent … the cache MUST
    /// consider the value to be 2147483648 … or the greatest positive integer it can conveniently represent."
    package static func seconds(_ text: String?) -> Int64? {
        guard let text, !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        var seconds: Int64 = 0
        for digit in text.utf8 {
            seconds = min(seconds * 10 + Int64(digit - 0x30), Self.maximumSeconds)
        }
        return seconds
    }

    /// Combines two uses of a directive.
    ///
    /// If one of them has no field names, the directive applies to everything.
    private static func joined(_ known: Extent?, _ argument: String?) -> Extent {
        guard let argument, known != .all else { return .all }
        let names = argument.split(whereSeparator: { $0 == "," || $0 == " " || $0 == "\t" }).map { $0.lowercased() }
        // Without a field name, or with an invalid one, the directive applies to everything: that is the safe reading.
        guard !names.isEmpty, names.allSatisfy({ HTTPField.Name($0) != nil }) else { return .all }
        if case .fields(let others)? = known { return .fields(others.union(names)) }
        return .fields(Set(names))
    }
}
