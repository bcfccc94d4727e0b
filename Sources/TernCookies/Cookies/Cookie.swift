// SPDX-License-Identifier: Apache-2.0

// Exported, so that a file that imports only this module sees `description` and the like (MemberImportVisibility).
public import TernFoundation
@_exported public import TernValues

/// A cookie as the client stores it (RFC 6265bis §5.7).
///
/// The content obeys the rules of RFC 6265bis, whether a server or the application created the cookie. The value may be
/// as sensitive as a password, so no description shows it.
public struct Cookie: Hashable, Sendable {
    /// The bytes of the name.
    ///
    /// The name may be empty.
    package let nameBytes: [UInt8]
    /// The bytes of the value.
    ///
    /// The value may be empty.
    package var valueBytes: [UInt8] { self.concealedValue.value }
    private let concealedValue: Concealed<[UInt8]>
    /// The host of the cookie, in lower case.
    ///
    /// If ``isHostOnly`` is `false`, the cookie also applies to all subdomains.
    public let domain: String
    /// Whether the cookie applies only to the host itself, and not to its subdomains.
    public let isHostOnly: Bool
    /// The path of the cookie, which begins with a slash.
    ///
    /// The cookie also applies to all paths below it.
    public let path: String
    /// The time when the cookie expires; `nil` for a session cookie.
    public let expiry: Date?
    /// Whether the cookie is sent only over HTTPS.
    public let isSecure: Bool
    /// Whether the cookie is hidden from a page's scripts.
    ///
    /// The flag makes no difference in a client that runs no scripts.
    public let isHTTPOnly: Bool
    /// The requests from other sites with which the client sends the cookie.
    public let sameSite: SameSite
    /// The time when the server first sent the cookie, or when the application created it.
    public let creation: Date

    /// The requests from other sites with which a client sends a cookie.
    ///
    /// This enumeration is closed: RFC 6265bis §5.6.7 defines these values, and no others.
    public enum SameSite: String, Hashable, Codable, Sendable {
        /// The server sent no attribute, or an unknown value; the client treats this case like ``lax``.
        case unspecified
        /// The client sends the cookie with all requests.
        case none
        /// The client sends the cookie with a navigation that has a safe method, such as following a link.
        case lax
        /// The client never sends the cookie with a request from another site.
        case strict
    }

    /// Creates a cookie from its parts, such as one that a web view received.
    ///
    /// - Parameters:
    ///   - name: The name, without `=`, `;` or control characters, and without white space at either end.
    ///   - value: The value. The rules for the name apply, except that the value may contain `=` if the name is not
    ///     empty. Name and value together have at most 4096 bytes.
    ///   - domain: The host, in lower case and ASCII.
    ///   - isHostOnly: Whether the cookie applies only to that host, and not to its subdomains. Defaults to `true`.
    ///   - path: The path. Defaults to `/`, which covers the whole host.
    ///   - expiry: The time when the cookie expires. Defaults to `nil`, for a session cookie.
    ///   - isSecure: Whether the cookie is sent only over HTTPS. Defaults to `true`.
    ///   - isHTTPOnly: Whether the cookie is hidden from scripts. Defaults to `true`.
    ///   - sameSite: The requests from other sites with which the client sends the cookie. Defaults to `.unspecified`.
    ///   - creation: The time when the cookie was created.
    /// - Throws: ``CookieViolation`` if a part breaks a rule for cookies.
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

    /// The name as text.
    ///
    /// Bytes that are not UTF-8 are replaced.
    public var name: String { String(decoding: self.nameBytes, as: UTF8.self) }

    /// The value as text.
    ///
    /// Bytes that are not UTF-8 are replaced.
    public var value: String { String(decoding: self.valueBytes, as: UTF8.self) }

    /// Whether the cookie ends with the session; see ``CookieJar/endSession()``.
    package var isSessionCookie: Bool { self.expiry == nil }

    /// Returns whether the cookie "has an expiry date in the past" (RFC 6265bis §5.7).
    ///
    /// - Parameter now: The current time.
    /// - Returns: Always `false` for a session cookie.
    package func isExpired(at now: Date) -> Bool { self.expiry.map { $0 < now } ?? false }
}

extension Cookie: CustomStringConvertible, Described {
    /// The name, the domain and the path, with a mask for the value.
    package var wording: String { "\(self.name)=*** for \(self.domain)\(self.path)" }
}

extension Cookie {
    /// Returns the value of a `Cookie` field with these cookies (RFC 6265bis §5.8.3, step 6).
    ///
    /// - Parameter cookies: The cookies, in their order.
    /// - Returns: The bytes; empty if there are no cookies.
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

    /// Decodes a cookie, and checks the rules for cookies that a server sends.
    ///
    /// - Parameter decoder: A decoder for the output of ``encode(to:)``.
    /// - Throws: `DecodingError` if the content cannot be decoded, or is not a valid cookie.
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

    /// Encodes the cookie, including its value: the output is as sensitive as the value.
    ///
    /// - Parameter encoder: An encoder. Times are written in seconds since 1970.
    /// - Throws: The error that the encoder throws.
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
    /// Returns the bytes from one of two keys: `text` for UTF-8, or `bytes` for data that is not UTF-8.
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
