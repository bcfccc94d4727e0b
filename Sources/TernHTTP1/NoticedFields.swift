// SPDX-License-Identifier: Apache-2.0

/// Which of the fields that steer a client are present, as seen while a head was scanned.
///
/// A client asks for these on every response, mostly to learn that they are absent; this answers without a search.
public struct NoticedFields: OptionSet, Hashable, Sendable {
    /// The bits, one a field; their meaning is not stable.
    public let rawValue: UInt8

    /// Creates a set from its bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// `Location` (RFC 9110 §10.2.2).
    public static let location = NoticedFields(rawValue: 1 << 0)
    /// `Content-Encoding` (RFC 9110 §8.4).
    public static let contentEncoding = NoticedFields(rawValue: 1 << 1)
    /// `Set-Cookie` (RFC 6265 §4.1).
    public static let setCookie = NoticedFields(rawValue: 1 << 2)
    /// `WWW-Authenticate` (RFC 9110 §11.6.1).
    public static let wwwAuthenticate = NoticedFields(rawValue: 1 << 3)
    /// `Proxy-Authenticate` (RFC 9110 §11.7.1).
    public static let proxyAuthenticate = NoticedFields(rawValue: 1 << 4)
    /// `Retry-After` (RFC 9110 §10.2.3).
    public static let retryAfter = NoticedFields(rawValue: 1 << 5)
}
