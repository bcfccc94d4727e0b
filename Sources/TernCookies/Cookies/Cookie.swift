// SPDX-License-Identifier: Apache-2.0

// Exported, so that a file that imports only this module sees `description` and the like (MemberImportVisibility).
public import TernFoundation
@_exported public import TernValues

/// A cookie as the client stores it (RFC 6265bis §5.7).
///
/// The value may be as sensitive as a password, so no description shows it.
public struct Cookie: Hashable, Sendable {
    /// The bytes of the name, which may be empty.
    package let nameBytes: [UInt8]
    /// The bytes of the value, which may be empty.
    package var valueBytes: [UInt8] { self.concealedValue.value }
    private let concealedValue: Concealed<[UInt8]>
    /// The host of the cookie, in lower case; unless ``isHostOnly``, the cookie also applies to all subdomains.
    public let domain: String
    /// Whether the cookie applies only to the host itself, and not to its subdomains.
    public let isHostOnly: Bool
    /// The path of the cookie, which begins with a slash; the cookie also applies to all paths below it.
    public let path: String
    /// The time when the cookie expires; `nil` for a session cookie.
    public let expiry: Date?
    /// Whether the cookie is sent only over HTTPS.
    public let isSecure: Bool
    /// Whether the cookie is hidden from a page's scripts, which makes no difference in a client that runs none.
    public let isHTTPOnly: Bool
    /// The requests from other sites with which the client sends the cookie.
    public let sameSite: SameSite
    /// The time of its creation; a jar keeps this time when another cookie replaces this one (RFC 6265bis §5.7).
    public let creation: Date

    /// The requests from other sites with which a client sends a cookie; RFC 6265bis §5.6.7 defines no other values.
    public enum SameSite: String, Hashable, Codable, Sendable {
        /// No attribute, or an unknown value; the client treats this case like ``lax``.
        case unspecified
        /// The client sends the cookie also with requests from other sites.
        case none
        /// From another site, the client sends the cookie only with a navigation that has a safe method, such as following a link.
        case lax
        /// The client never sends the cookie with a request from another site.
        case strict
    }

    /// Creates a cookie from its parts, and throws ``CookieViolation``, for example if the path does not begin with a slash.
    public init(
        name: String,
        value: String,
        domain: String,
        isHostOnly: Bool = true,
        path: String = "/",
        expiry: Date? = nil,
        isSecure: Bool = true,
        isHTTPOnly: Bool = true,
        sameSite: SameSite = .unspecified,
        creation: Date
    ) throws(CookieViolation) {
        self.init(
            nameBytes: Array(name.utf8),
            valueBytes: Array(value.utf8),
            domain: domain,
            isHostOnly: isHostOnly,
            path: path,
            expiry: expiry,
            isSecure: isSecure,
            isHTTPOnly: isHTTPOnly,
            sameSite: sameSite,
            creation: creation
        )
        try self.validate()
        // A `Path` attribute cannot contain a semicolon, although the path of a request can.
        guard !self.path.utf8.contains(UInt8(ascii: ";")) else { throw .malformedPath }
        // In the value of a cookie without a name, an "=" would turn the text before it into a name. Only a server may
        // send such a value.
        guard !self.nameBytes.isEmpty || !self.valueBytes.contains(UInt8(ascii: "=")) else { throw .separator }
    }

    /// Creates a cookie from parts that are already checked, or that ``validate()`` will check.
    init(
        nameBytes: [UInt8],
        valueBytes: [UInt8],
        domain: String,
        isHostOnly: Bool,
        path: String,
        expiry: Date?,
        isSecure: Bool,
        isHTTPOnly: Bool,
        sameSite: SameSite,
        creation: Date
    ) {
        self.nameBytes = nameBytes
        self.concealedValue = Concealed(valueBytes)
        self.domain = domain
        self.isHostOnly = isHostOnly
        self.path = path
        self.expiry = expiry
        self.isSecure = isSecure
        self.isHTTPOnly = isHTTPOnly
        self.sameSite = sameSite
        self.creation = creation
    }

    /// The name as text; bytes that are not UTF-8 are replaced.
    public var name: String { String(decoding: self.nameBytes, as: UTF8.self) }

    /// The value as text; bytes that are not UTF-8 are replaced.
    public var value: String { String(decoding: self.valueBytes, as: UTF8.self) }

    package var isSessionCookie: Bool { self.expiry == nil }

    /// Returns whether the cookie "has an expiry date in the past" (RFC 6265bis §5.7), which a session cookie never has.
    package func isExpired(at now: Date) -> Bool { self.expiry.map { $0 < now } ?? false }
}

extension Cookie: CustomStringConvertible, Described {
    package var wording: String { "\(self.name)=*** for \(self.domain)\(self.path)" }
}

extension Cookie {
    /// Returns the value of a `Cookie` field with these cookies in their order (RFC 6265bis §5.8.3).
    public static func fieldValue(of cookies: some Collection<Cookie>) -> [UInt8] {
        var bytes: [UInt8] = []
        for cookie in cookies {
            if !bytes.isEmpty { bytes += [UInt8(ascii: ";"), UInt8(ascii: " ")] }
            // "If the cookies' name is not empty, output the cookie's name followed by the %x3D ("=") character."
            if !cookie.nameBytes.isEmpty { bytes += cookie.nameBytes + [UInt8(ascii: "=")] }
            bytes += cookie.valueBytes
        }
        return bytes
    }
}

extension Cookie: Codable {
    private enum CodingKeys: String, CodingKey {
        case name, nameBytes, value, valueBytes, domain, hostOnly, path, expires, secure, httpOnly, sameSite, created
    }

    /// Decodes a cookie, and throws `DecodingError`, for example if a required part is missing.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            nameBytes: try values.bytes(.name, .nameBytes),
            valueBytes: try values.bytes(.value, .valueBytes),
            domain: try values.decode(String.self, forKey: .domain),
            isHostOnly: try values.decode(Bool.self, forKey: .hostOnly),
            path: try values.decode(String.self, forKey: .path),
            expiry: try values.decodeIfPresent(Double.self, forKey: .expires).map(Date.init(timeIntervalSince1970:)),
            isSecure: try values.decode(Bool.self, forKey: .secure),
            isHTTPOnly: try values.decode(Bool.self, forKey: .httpOnly),
            sameSite: try values.decode(SameSite.self, forKey: .sameSite),
            creation: Date(timeIntervalSince1970: try values.decode(Double.self, forKey: .created))
        )
        do throws(CookieViolation) {
            try self.validate()
        } catch {
            let context = DecodingError.Context(codingPath: decoder.codingPath, debugDescription: error.description)
            throw DecodingError.dataCorrupted(context)
        }
    }

    /// Encodes the cookie with its value, so the output is as sensitive as the value; times are in seconds since 1970.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(self.nameBytes, .name, .nameBytes)
        try values.encode(self.valueBytes, .value, .valueBytes)
        try values.encode(self.domain, forKey: .domain)
        try values.encode(self.isHostOnly, forKey: .hostOnly)
        try values.encode(self.path, forKey: .path)
        try values.encodeIfPresent(self.expiry?.timeIntervalSince1970, forKey: .expires)
        try values.encode(self.isSecure, forKey: .secure)
        try values.encode(self.isHTTPOnly, forKey: .httpOnly)
        try values.encode(self.sameSite, forKey: .sameSite)
        try values.encode(self.creation.timeIntervalSince1970, forKey: .created)
    }
}

extension KeyedDecodingContainer {
    fileprivate func bytes(_ text: Key, _ bytes: Key) throws -> [UInt8] {
        if let data = try self.decodeIfPresent(Data.self, forKey: bytes) { return Array(data) }
        return Array(try self.decode(String.self, forKey: text).utf8)
    }
}

extension KeyedEncodingContainer {
    fileprivate mutating func encode(_ value: [UInt8], _ text: Key, _ bytes: Key) throws {
        if let string = String(validating: value, as: UTF8.self) {
            try self.encode(string, forKey: text)
        } else {
            try self.encode(Data(value), forKey: bytes)
        }
    }
}
