// SPDX-License-Identifier: Apache-2.0
public import HTTPTypes

/// What `Cache-Control` says, of a request or a response (RFC 9111 §5.2), as far as a private cache minds it.
///
/// Directives that are not known are ignored (§5.2.3). What contradicts itself, or cannot be read, counts as what is
/// safest: stale, or to be asked again.
public struct CacheControl: Hashable, Sendable {
    /// What of a response a directive is about.
    ///
    /// Closed: RFC 9111 §5.2.2 has these two forms.
    public enum Extent: Hashable, Sendable {
        /// All of it.
        case all
        /// The fields that it names, in small letters.
        case fields(Set<String>)
    }

    /// The longest time in seconds that is told apart: "infinity" for a cache, 2^31 (§1.2.2).
    public static let maximumSeconds: Int64 = 1 << 31
    /// How many bytes of values are read; as long as all fields of a short response.
    public static let maximumByteCount = 8 << 10
    /// How many directives are read; there are about fifteen.
    public static let maximumDirectiveCount = 64

    /// How long the response is fresh, or how old the request lets it be, in seconds (§5.2.1.1, §5.2.2.1).
    public internal(set) var maxAge: Int64?
    /// How much past its freshness a request takes a response, in seconds (§5.2.1.2); 2^31 if it does not say.
    public internal(set) var maxStale: Int64?
    /// How long a response must be fresh still for the request, in seconds (§5.2.1.3).
    public internal(set) var minFresh: Int64?
    /// How long a stale response may be used while the client revalidates it, in seconds (RFC 5861 §3).
    public internal(set) var staleWhileRevalidate: Int64?
    /// For how long a stale response may be used if asking fails, in seconds (RFC 5861 §4).
    public internal(set) var staleIfError: Int64?
    /// What must not be used before the server was asked (§5.2.1.4, §5.2.2.4); `nil` if nothing is said.
    public internal(set) var noCache: Extent?
    /// Whether nothing may be stored (§5.2.1.5, §5.2.2.5).
    public internal(set) var noStore = false
    /// Whether a stale response must not be used before the server was asked (§5.2.2.2).
    public internal(set) var mustRevalidate = false
    /// Whether the response may only be stored by a cache that understands its status (§5.2.2.3).
    public internal(set) var mustUnderstand = false
    /// Whether the response may be stored though nothing else says so (§5.2.2.9).
    public internal(set) var isPublic = false
    /// Whether the response is for one user, such as the one of this cache (§5.2.2.7).
    public internal(set) var isPrivate = false
    /// Whether the response does not change while it is fresh (RFC 8246 §2).
    public internal(set) var isImmutable = false
    /// Whether only a stored response is wanted (§5.2.1.7).
    public internal(set) var onlyIfCached = false
    /// Whether there was a field at all.
    public internal(set) var isPresent = false
    /// Whether a directive could not be read; the client then revalidates the response each time.
    public internal(set) var isMalformed = false

    /// Whether a request wants the server to be asked, however fresh the stored response is.
    ///
    /// `max-age=0` is how a reload says it: "the client prefers a response whose age is less than or equal to the specified
    /// number of seconds" (§5.2.1.1), and ages are whole seconds, so that a response of this second would pass otherwise.
    package var demandsValidation: Bool { self.noCache != nil || self.maxAge == 0 && (self.maxStale ?? 0) == 0 }

    /// Reads the fields of a message.
    ///
    /// `Pragma: no-cache` counts where there is no `Cache-Control` (§5.4).
    ///
    /// - Parameter fields: the fields of a request or a response.
    public init(_ fields: HTTPFields) {
        let values = fields[values: .cacheControl]
        self.init(values)
        guard values.isEmpty, let pragma = HTTPField.Name("Pragma") else { return }
        let says = CacheControl(fields[values: pragma])
        if says.noCache != nil { self.noCache = .all }
    }

    /// Reads the values of `Cache-Control`.
    ///
    /// - Parameter values: one for each line of the field.
    public init(_ values: [String]) {
        self.isPresent = !values.isEmpty
        guard values.reduce(0, { $0 + $1.utf8.count }) <= Self.maximumByteCount else {
            // No honest server says so much: it is not stored.
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

    /// Takes the shortest of several times; one that cannot be read counts as none at all.
    ///
    /// "Caches are encouraged to consider responses that have invalid freshness information … to be stale", and of values
    /// that differ "either the first occurrence should be used or the response should be considered stale" (§4.2.1).
    private static func shorten(_ time: inout Int64?, _ argument: String?) {
        let seconds = Self.seconds(argument) ?? 0
        if let known = time, known != seconds {
            time = 0
        } else {
            time = seconds
        }
    }

    /// The seconds that a text means (§1.2.2); `nil` if it is none.
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

    /// Without names, or beside a use without names, a directive is about everything.
    private static func joined(_ known: Extent?, _ argument: String?) -> Extent {
        guard let argument, known != .all else { return .all }
        let names = argument.split(whereSeparator: { $0 == "," || $0 == " " || $0 == "\t" }).map { $0.lowercased() }
        // What names no field, or what is no name, is about everything: that is the safe reading.
        guard !names.isEmpty, names.allSatisfy({ HTTPField.Name($0) != nil }) else { return .all }
        if case .fields(let others)? = known { return .fields(others.union(names)) }
        return .fields(Set(names))
    }
}
