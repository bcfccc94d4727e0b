// SPDX-License-Identifier: Apache-2.0
package import HTTPTypes

/// Some fields of a head, such as `Location`, that decide what a client does next.
@_spi(CrossModuleInlining) public struct NoticedFields: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8

    @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

    @inlinable public static var location: NoticedFields { NoticedFields(rawValue: 1 << 0) }
    @inlinable public static var contentEncoding: NoticedFields { NoticedFields(rawValue: 1 << 1) }
    @inlinable public static var setCookie: NoticedFields { NoticedFields(rawValue: 1 << 2) }
    @inlinable public static var wwwAuthenticate: NoticedFields { NoticedFields(rawValue: 1 << 3) }
    @inlinable public static var proxyAuthenticate: NoticedFields { NoticedFields(rawValue: 1 << 4) }
    @inlinable public static var retryAfter: NoticedFields { NoticedFields(rawValue: 1 << 5) }
}

extension NoticedFields {
    package init(_ fields: HTTPFields) {
        let candidates: [(HTTPField.Name, NoticedFields)] = [
            (.location, .location), (.contentEncoding, .contentEncoding), (.setCookie, .setCookie),
            (.wwwAuthenticate, .wwwAuthenticate), (.proxyAuthenticate, .proxyAuthenticate), (.retryAfter, .retryAfter),
        ]
        self = []
        for (name, noticed) in candidates where fields.contains(name) { self.insert(noticed) }
    }
}
