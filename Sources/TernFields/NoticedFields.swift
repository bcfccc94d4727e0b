// SPDX-License-Identifier: Apache-2.0
package import HTTPTypes

/// The fields of a head that decide what a client does next, such as `Location`; the decoder records them as it reads.
///
/// A client looks for these fields in every response, and mostly they are absent; this set answers without a search.
/// The type is public so that other modules can inline it, like ``ByteView``.
@_spi(CrossModuleInlining) public struct NoticedFields: OptionSet, Hashable, Sendable {
    /// The bits, one for each field; their order may change.
    public let rawValue: UInt8

    /// Creates a set from its bits.
    @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// `Location` (RFC 9110 §10.2.2).
    @inlinable public static var location: NoticedFields { NoticedFields(rawValue: 1 << 0) }
    /// `Content-Encoding` (RFC 9110 §8.4).
    @inlinable public static var contentEncoding: NoticedFields { NoticedFields(rawValue: 1 << 1) }
    /// `Set-Cookie` (RFC 6265 §4.1).
    @inlinable public static var setCookie: NoticedFields { NoticedFields(rawValue: 1 << 2) }
    /// `WWW-Authenticate` (RFC 9110 §11.6.1).
    @inlinable public static var wwwAuthenticate: NoticedFields { NoticedFields(rawValue: 1 << 3) }
    /// `Proxy-Authenticate` (RFC 9110 §11.7.1).
    @inlinable public static var proxyAuthenticate: NoticedFields { NoticedFields(rawValue: 1 << 4) }
    /// `Retry-After` (RFC 9110 §10.2.3).
    @inlinable public static var retryAfter: NoticedFields { NoticedFields(rawValue: 1 << 5) }
}

extension NoticedFields {
    /// Creates the set of the noticed fields that `fields` contains.
    package init(_ fields: HTTPFields) {
        let candidates: [(HTTPField.Name, NoticedFields)] = [
            (.location, .location), (.contentEncoding, .contentEncoding), (.setCookie, .setCookie),
            (.wwwAuthenticate, .wwwAuthenticate), (.proxyAuthenticate, .proxyAuthenticate), (.retryAfter, .retryAfter),
        ]
        self = []
        for (name, noticed) in candidates where fields.contains(name) { self.insert(noticed) }
    }
}
