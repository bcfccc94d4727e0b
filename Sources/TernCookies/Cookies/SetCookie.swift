// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What one `Set-Cookie` field says, as it was read (RFC 6265bis §5.6); a ``CookieJar`` decides whether it is obeyed.
public struct SetCookie: Hashable, Sendable {
    /// The name, byte for byte; may be empty.
    public var nameBytes: [UInt8]
    /// The value, byte for byte; may be empty.
    public var valueBytes: [UInt8]
    /// When it ends, by the last `Expires` that could be read.
    public var expires: Date?
    /// For how long it holds, by the last `Max-Age` that could be read, in seconds; at most 400 days, zero for "not at
    /// all"; it comes before ``expires``.
    public var maximumAge: Int?
    /// The last `Domain`, in lower case and without a dot at its beginning, byte for byte; empty or `nil`: the host alone.
    public var domainBytes: [UInt8]?
    /// The last `Path`.
    public var path: Path?
    /// Whether there is `Secure`.
    public var isSecure = false
    /// Whether there is `HttpOnly`.
    public var isHTTPOnly = false
    /// The last `SameSite`.
    public var sameSite = Cookie.SameSite.unspecified

    /// What a `Path` attribute says.
    public enum Path: Hashable, Sendable {
        /// It has no path; the default one is meant (§5.1.4).
        case `default`
        /// A path.
        case path(String)
    }

    /// Reads the value of a `Set-Cookie` field.
    ///
    /// - Parameter bytes: the value; of any length, it is read once.
    /// - Throws: ``CookieViolation/controlCharacter`` or ``CookieViolation/tooLong``. Nothing else is refused: an attribute
    ///   that makes no sense is left out.
    public init(parsing bytes: borrowing Span<UInt8>) throws(CookieViolation) {
        self = try SetCookieParser.parse(bytes)
    }

    init(nameBytes: [UInt8], valueBytes: [UInt8]) {
        self.nameBytes = nameBytes
        self.valueBytes = valueBytes
    }
}

extension SetCookie: CustomStringConvertible, CustomReflectable {
    /// The name and a mask: a value is as good as a password.
    public var description: String { "\(String(decoding: self.nameBytes, as: UTF8.self))=***" }

    /// Shows nothing to `dump`.
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}
