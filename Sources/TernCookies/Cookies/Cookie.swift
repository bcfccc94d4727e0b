// SPDX-License-Identifier: Apache-2.0

// Exported, so that `description` and its like are found where only this module is imported (MemberImportVisibility).
@_exported public import TernValues

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A cookie as it is kept: what a server asked to be told again, and when (RFC 6265bis §5.7).
///
/// A value; what it holds obeys the rules for cookies, whether a server or the application made it. Its value is as good
/// as a password, so no description shows it.
public struct Cookie: Hashable, Sendable {
    /// The name, byte for byte; may be empty.
    package let nameBytes: [UInt8]
    /// The value, byte for byte; may be empty.
    package var valueBytes: [UInt8] { self.concealedValue.value }
    private let concealedValue: Concealed<[UInt8]>
    /// The host that it is for, and if ``isHostOnly`` is `false` all below it; in lower case.
    public let domain: String
    /// Whether it is for the one host alone.
    public let isHostOnly: Bool
    /// The path that it is for, with all below it; begins with a slash.
    public let path: String
    /// When it ends; `nil` for a cookie of the session.
    public let expiry: Date?
    /// Whether it is sent over HTTPS only.
    public let isSecure: Bool
    /// Whether a page's scripts may not see it; to a client without scripts it makes no difference.
    public let isHTTPOnly: Bool
    /// Whether requests that another site caused bring it.
    public let sameSite: SameSite
    /// When the server first sent it.
    public let creation: Date

    /// Which requests from other sites bring a cookie.
    ///
    /// Closed: RFC 6265bis §5.6.7 has these, and no others.
    public enum SameSite: String, Hashable, Codable, Sendable {
        /// The server did not say; counts as ``lax``.
        case unspecified
        /// All do.
        case none
        /// Only a navigation by a safe method, such as following a link.
        case lax
        /// None.
        case strict
    }

    /// Makes a cookie by hand, such as one that a web view received.
    ///
    /// - Parameters:
    ///   - name: without `=`, `;`, control characters or white space at an end.
    ///   - value: as the name, but `=` may be in it; both together have 4096 bytes at most.
    ///   - domain: the host, in lower case and ASCII.
    ///   - isHostOnly: whether it is for that host alone; `true` by default.
    ///   - path: the path; `/` by default, that is all of the host.
    ///   - expiry: when it ends; `nil`, the default, for a cookie of the session.
    ///   - isSecure: whether it is for HTTPS only; `true` by default.
    ///   - isHTTPOnly: whether it is hidden from scripts; `true` by default.
    ///   - sameSite: unspecified by default.
    ///   - creation: when it was made.
    /// - Throws: ``CookieViolation`` for what no server could have sent.
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
        // No `Path` could say so, though the path of a request may.
        guard !self.path.utf8.contains(UInt8(ascii: ";")) else { throw .malformedPath }
        // Without a name, an "=" would make what stands before it one; a server may do that.
        guard !self.nameBytes.isEmpty || !self.valueBytes.contains(UInt8(ascii: "=")) else { throw .separator }
    }

    /// Creates a cookie of parts that were checked, or that ``validate()`` will check.
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

    /// The name as text; what is not UTF-8 is replaced.
    public var name: String { String(decoding: self.nameBytes, as: UTF8.self) }

    /// The value as text; what is not UTF-8 is replaced.
    public var value: String { String(decoding: self.valueBytes, as: UTF8.self) }

    /// Whether it ends with the session, however long that is; see ``CookieJar/endSession()``.
    package var isSessionCookie: Bool { self.expiry == nil }

    /// Whether it has ended: it "has an expiry date in the past" (RFC 6265bis §5.7).
    ///
    /// - Parameter now: the present.
    /// - Returns: `false` for a cookie of the session.
    package func isExpired(at now: Date) -> Bool { self.expiry.map { $0 < now } ?? false }
}

extension Cookie: CustomStringConvertible, Described {
    /// Name, domain and path, and a mask for the value.
    package var wording: String { "\(self.name)=*** for \(self.domain)\(self.path)" }
}

extension Cookie {
    /// The value of a `Cookie` field that brings cookies (RFC 6265bis §5.8.3, step 6).
    ///
    /// - Parameter cookies: the cookies, in their order.
    /// - Returns: the bytes; empty if there are none.
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

    /// Reads a cookie, and checks it as if it had been made by hand.
    ///
    /// - Parameter decoder: holds what ``encode(to:)`` wrote.
    /// - Throws: `DecodingError`, also if what is there cannot be a cookie.
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

    /// Writes the cookie with its value: what comes out is as secret as the value.
    ///
    /// - Parameter encoder: takes names, values and times; these in seconds since 1970.
    /// - Throws: what the encoder throws.
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
    /// Text, or bytes that are none.
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
