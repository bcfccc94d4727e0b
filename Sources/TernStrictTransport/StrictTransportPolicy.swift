// SPDX-License-Identifier: Apache-2.0

/// A server's policy from `Strict-Transport-Security` (RFC 6797 §6.1).
public struct StrictTransportPolicy: Hashable, Sendable {
    /// The number of seconds for which clients reach the host only over HTTPS; 0 ends the policy.
    public var maximumAge: Int64
    /// Whether the policy also applies to all subdomains.
    public var includesSubdomains: Bool

    /// The largest accepted ``maximumAge``, about 68 years; a larger value is reduced to it.
    static let largestAge: Int64 = 1 << 31
    private static let maximumByteCount = 1024

    /// Creates a policy; an age below 0 counts as 0, and one above 2³¹ seconds as 2³¹.
    public init(maximumAge: Int64, includesSubdomains: Bool = false) {
        self.maximumAge = min(max(0, maximumAge), Self.largestAge)
        self.includesSubdomains = includesSubdomains
    }

    /// Parses the field's value; `nil` if it is malformed or too long, lacks `max-age` or repeats a directive (RFC 6797 §6.1).
    package init?(_ text: String) {
        guard text.utf8.count <= Self.maximumByteCount else { return nil }
        var rest = Substring(text).unicodeScalars[...]
        var seen: [String: String?] = [:]
        while true {
            Self.skipSpace(&rest)
            let name = Self.token(&rest).lowercased()
            if !name.isEmpty {
                Self.skipSpace(&rest)
                var value: String?
                if rest.first == "=" {
                    rest.removeFirst()
                    guard let text = Self.value(&rest) else { return nil }
                    value = text
                }
                guard seen.updateValue(value, forKey: name) == nil else { return nil }
            }
            Self.skipSpace(&rest)
            guard let separator = rest.popFirst() else { break }
            guard separator == ";" else { return nil }
        }
        guard let age = seen["max-age"] ?? nil, let seconds = Self.seconds(age) else { return nil }
        if let value = seen["includesubdomains"], value != nil { return nil }  // the directive has no value
        self.init(maximumAge: seconds, includesSubdomains: seen.keys.contains("includesubdomains"))
    }

    private static func value(_ rest: inout Substring.UnicodeScalarView) -> String? {
        Self.skipSpace(&rest)
        guard rest.first == "\"" else { return Self.token(&rest) }
        rest.removeFirst()
        var value = ""
        while let scalar = rest.popFirst() {
            if scalar == "\"" { return value }
            guard let content = scalar == "\\" ? rest.popFirst() : scalar else { return nil }
            value.unicodeScalars.append(content)
        }
        return nil
    }

    private static func token(_ rest: inout Substring.UnicodeScalarView) -> String {
        let token = rest.prefix { scalar in
            ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || ("0"..."9").contains(scalar)
                || "!#$%&'*+-.^_`|~".unicodeScalars.contains(scalar)
        }
        rest = rest[token.endIndex...]
        return String(String.UnicodeScalarView(token))
    }

    private static func skipSpace(_ rest: inout Substring.UnicodeScalarView) {
        rest = rest.drop { $0 == " " || $0 == "\t" }
    }

    private static func seconds(_ text: String) -> Int64? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
            return nil
        }
        return Int64(text) ?? Self.largestAge
    }
}
