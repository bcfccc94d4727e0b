// SPDX-License-Identifier: Apache-2.0

package import HTTPTypes

/// Which of the fields that steer a client are present, as seen while a head was scanned.
///
/// A client asks for these on every response, mostly to learn that they are absent; this answers without a search.
package struct NoticedFields: OptionSet, Hashable, Sendable {
    /// The bits, one a field; their meaning is not stable.
    package let rawValue: UInt8

    /// Creates a set from its bits.
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// `Location` (RFC 9110 §10.2.2).
    package static let location = NoticedFields(rawValue: 1 << 0)
    /// `Content-Encoding` (RFC 9110 §8.4).
    package static let contentEncoding = NoticedFields(rawValue: 1 << 1)
    /// `Set-Cookie` (RFC 6265 §4.1).
    package static let setCookie = NoticedFields(rawValue: 1 << 2)
    /// `WWW-Authenticate` (RFC 9110 §11.6.1).
    package static let wwwAuthenticate = NoticedFields(rawValue: 1 << 3)
    /// `Proxy-Authenticate` (RFC 9110 §11.7.1).
    package static let proxyAuthenticate = NoticedFields(rawValue: 1 << 4)
    /// `Retry-After` (RFC 9110 §10.2.3).
    package static let retryAfter = NoticedFields(rawValue: 1 << 5)
}

extension NoticedFields {
    /// The fields that steer a client, of those that are in `fields`.
    package init(_ fields: HTTPFields) {
        let candidates: [(HTTPField.Name, NoticedFields)] = [
            (.location, .location), (.contentEncoding, .contentEncoding), (.setCookie, .setCookie),
            (.wwwAuthenticate, .wwwAuthenticate), (.proxyAuthenticate, .proxyAuthenticate), (.retryAfter, .retryAfter),
        ]
        self = []
        for (name, noticed) in candidates where fields.contains(name) { self.insert(noticed) }
    }
}
