// SPDX-License-Identifier: Apache-2.0
internal import TernRequests

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Which requests may carry a credential before they are asked for it.
struct Coverage: Hashable, Sendable {
    /// How many URIs of a `domain` are read; the others are asked for a credential as any.
    static let maximumURICount = 64

    private enum Extent: Hashable, Sendable {
        /// Whatever goes through a proxy.
        case everything
        /// One origin, with all of its paths.
        case origin(Origin)
        /// One origin, and paths that have one of these at their beginning.
        case prefixes(Origin, [String])
    }

    private let extent: Extent

    /// Covers all that goes through a proxy.
    static let proxy = Coverage(extent: .everything)

    /// Covers an origin.
    static func origin(_ origin: Origin) -> Coverage { Coverage(extent: .origin(origin)) }

    /// Covers what Basic assumes.
    ///
    /// RFC 7617 §2.2: "the authentication scope of that request is obtained by removing all characters after the last
    /// slash ("/") character of the path component".
    static func basic(_ origin: Origin, target: String) -> Coverage {
        let path = target.utf8.prefix { $0 != UInt8(ascii: "?") }
        let end = path.lastIndex(of: UInt8(ascii: "/")).map { path.index(after: $0) } ?? path.startIndex
        return Coverage(extent: .prefixes(origin, [String(decoding: path[..<end], as: UTF8.self)]))
    }

    /// Covers what the `domain` of Digest lists (RFC 7616 §3.3).
    ///
    /// URIs on other servers are not honoured, although the section allows them: a server that a user gave a password
    /// to does not decide who else gets a proof of it.
    static func digest(_ origin: Origin, domain: String?) -> Coverage {
        let uris = (domain ?? "").split(maxSplits: self.maximumURICount) { $0 == " " || $0 == "\t" }
        // RFC 7616 §3.3: "If this parameter is omitted or its value is empty, the client SHOULD assume that the
        // protection space consists of all URIs on the responding server."
        guard !uris.isEmpty else { return .origin(origin) }
        let prefixes = uris.prefix(self.maximumURICount).compactMap { self.path(of: String($0), on: origin) }
        return Coverage(extent: .prefixes(origin, prefixes))
    }

    /// The path that a URI of a `domain` means; `nil` if it is on another server or is no URI.
    private static func path(of uri: String, on origin: Origin) -> String? {
        guard let reference = try? URLReference(uri) else { return nil }
        // An absolute path is one on the server that sent it; two slashes begin a host instead.
        if uri.hasPrefix("/"), !uri.hasPrefix("//") { return reference.text }
        guard let url = try? reference.url(), let destination = try? Destination(url), destination.origin == origin
        else { return nil }
        return destination.target
    }

    /// Whether a request is covered.
    func contains(_ origin: Origin, target: String) -> Bool {
        switch self.extent {
        case .everything: return true
        case .origin(let covered): return covered == origin
        case .prefixes(let covered, let prefixes):
            guard covered == origin, !Self.hasDotSegments(target) else { return false }
            return prefixes.contains { Self.isPrefix($0, of: target) }
        }
    }

    /// Whether a path begins with another, at the border of a segment: `/a` does not cover `/ab`.
    ///
    /// RFC 7616 §3.3 looks at characters only; a request too few that is covered costs one round trip.
    private static func isPrefix(_ prefix: String, of target: String) -> Bool {
        guard !prefix.isEmpty, target.utf8.starts(with: prefix.utf8) else { return false }
        if prefix.utf8.last == UInt8(ascii: "/") { return true }
        let rest = target.utf8.dropFirst(prefix.utf8.count).first
        return rest == nil || rest == UInt8(ascii: "/") || rest == UInt8(ascii: "?")
    }

    /// Whether a server might take the path for one that is elsewhere, such as `/a/../b` or `/a/%2E%2e/b`.
    private static func hasDotSegments(_ target: String) -> Bool {
        // Bytes, not characters: a combining mark behind a slash would hide it.
        var segment: [UInt8] = []
        var rest = target.utf8.prefix { $0 != UInt8(ascii: "?") }
        while let byte = rest.popFirst() {
            let isEncoded = byte == UInt8(ascii: "%")
            let plain = isEncoded ? self.decoded(rest.prefix(2)) : byte
            if isEncoded, plain != nil { rest = rest.dropFirst(2) }
            if plain == UInt8(ascii: "/") || plain == UInt8(ascii: "\\") {
                if self.isDots(segment) { return true }
                segment.removeAll(keepingCapacity: true)
            } else {
                segment.append(plain ?? byte)
            }
        }
        return self.isDots(segment)
    }

    private static func isDots(_ segment: [UInt8]) -> Bool {
        (1...2).contains(segment.count) && segment.allSatisfy { $0 == UInt8(ascii: ".") }
    }

    /// The dot, slash or backslash that two hexadecimal digits stand for; `nil` for all others.
    private static func decoded(_ digits: some Sequence<UInt8>) -> UInt8? {
        switch Array(digits) {
        case Array("2e".utf8), Array("2E".utf8): UInt8(ascii: ".")
        case Array("2f".utf8), Array("2F".utf8): UInt8(ascii: "/")
        case Array("5c".utf8), Array("5C".utf8): UInt8(ascii: "\\")
        default: nil
        }
    }
}
