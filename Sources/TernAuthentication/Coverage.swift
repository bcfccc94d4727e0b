// SPDX-License-Identifier: Apache-2.0
internal import TernFoundation
internal import TernRequests

/// The requests that may carry a credential before the server asks for it.
struct Coverage: Hashable, Sendable {
    /// The maximum number of URIs from the `domain` of a Digest challenge; further ones wait for a challenge.
    static let maximumURICount = 64

    private enum Extent: Hashable, Sendable {
        case everything
        case origin(Origin)
        case prefixes(Origin, [String])
    }

    private let extent: Extent

    static let proxy = Coverage(extent: .everything)

    static func origin(_ origin: Origin) -> Coverage { Coverage(extent: .origin(origin)) }

    /// RFC 7617 §2.2: the paths at or below "the last slash" of the challenged path.
    static func basic(_ origin: Origin, target: String) -> Coverage {
        let path = target.utf8.prefix { $0 != UInt8(ascii: "?") }
        let end = path.lastIndex(of: UInt8(ascii: "/")).map { path.index(after: $0) } ?? path.startIndex
        return Coverage(extent: .prefixes(origin, [String(decoding: path[..<end], as: UTF8.self)]))
    }

    /// The `domain` of Digest (RFC 7616 §3.3), without other servers: a server must not decide which others get a proof.
    static func digest(_ origin: Origin, domain: String?) -> Coverage {
        let uris = (domain ?? "").split(maxSplits: self.maximumURICount) { $0 == " " || $0 == "\t" }
        // RFC 7616 §3.3: "If this parameter is omitted or its value is empty, the client SHOULD assume that the
        // protection space consists of all URIs on the responding server."
        guard !uris.isEmpty else { return .origin(origin) }
        let prefixes = uris.prefix(self.maximumURICount).compactMap { self.path(of: String($0), on: origin) }
        return Coverage(extent: .prefixes(origin, prefixes))
    }

    private static func path(of uri: String, on origin: Origin) -> String? {
        guard let reference = try? URLReference(uri) else { return nil }
        // A path that begins with one slash is on the server that sent it. Two slashes begin a host instead.
        if uri.hasPrefix("/"), !uri.hasPrefix("//") { return reference.text }
        guard let url = try? reference.url(), let destination = try? Destination(url), destination.origin == origin
        else { return nil }
        return destination.target
    }

    func contains(_ origin: Origin, target: String) -> Bool {
        switch self.extent {
        case .everything: return true
        case .origin(let covered): return covered == origin
        case .prefixes(let covered, let prefixes):
            guard covered == origin, !Self.hasDotSegments(target) else { return false }
            return prefixes.contains { Self.isPrefix($0, of: target) }
        }
    }

    /// Compares at a segment boundary, more strictly than RFC 7616 §3.3: `/a` does not cover `/ab`.
    private static func isPrefix(_ prefix: String, of target: String) -> Bool {
        guard !prefix.isEmpty, target.utf8.starts(with: prefix.utf8) else { return false }
        if prefix.utf8.last == UInt8(ascii: "/") { return true }
        let rest = target.utf8.dropFirst(prefix.utf8.count).first
        return rest == nil || rest == UInt8(ascii: "/") || rest == UInt8(ascii: "?")
    }

    /// Returns whether a server might read the path as another one: `/a/../b` or `/a/%2E%2e/b`.
    private static func hasDotSegments(_ target: String) -> Bool {
        // The loop reads bytes, because in a comparison of characters, a combining mark after a slash would hide the
        // slash.
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

    private static func decoded(_ digits: some Sequence<UInt8>) -> UInt8? {
        switch Array(digits) {
        case Array("2e".utf8), Array("2E".utf8): UInt8(ascii: ".")
        case Array("2f".utf8), Array("2F".utf8): UInt8(ascii: "/")
        case Array("5c".utf8), Array("5C".utf8): UInt8(ascii: "\\")
        default: nil
        }
    }
}
