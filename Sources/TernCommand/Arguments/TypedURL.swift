// SPDX-License-Identifier: Apache-2.0
import Tern

/// A URL as it was typed, possibly without a scheme.
struct TypedURL: Equatable, Sendable {
    let text: String
    let isCompleted: Bool

    /// Completes a missing scheme with `https` (for a WebSocket, `wss`), or for a loopback host with `http` (`ws`).
    init(_ typed: String, isWebSocket: Bool = false) {
        let rest = typed.hasPrefix("//") ? String(typed.dropFirst(2)) : typed
        guard !typed.isEmpty, !Self.hasScheme(typed) else {
            (self.text, self.isCompleted) = (typed, false)
            return
        }
        let schemes = isWebSocket ? (plain: "ws", secure: "wss") : (plain: "http", secure: "https")
        let scheme = Self.isLoopback(Self.host(of: rest)) ? schemes.plain : schemes.secure
        (self.text, self.isCompleted) = ("\(scheme)://\(rest)", true)
    }

    var note: String? {
        guard self.isCompleted else { return nil }
        return "the URL has no scheme; requesting \(RedactedURL.text(self.text))"
    }

    static func isLoopback(url: String) -> Bool {
        guard let slashes = url.firstRange(of: "://") else { return false }
        return Self.isLoopback(Self.host(of: String(url[slashes.upperBound...])))
    }

    /// Returns whether a text begins with a scheme (RFC 3986 §3.1) and `://`, or with a known scheme and a colon.
    private static func hasScheme(_ text: String) -> Bool {
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return false }
        let scheme = text[..<colon].lowercased()
        if ["http", "https", "ws", "wss"].contains(scheme) { return true }
        let isScheme = scheme.utf8.first.map { $0 >= 0x61 && $0 <= 0x7A } ?? false
        let isValid = scheme.utf8.allSatisfy { byte in
            (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || "+-.".utf8.contains(byte)
        }
        return isScheme && isValid && text[colon...].hasPrefix("://")
    }

    private static func host(of text: String) -> String {
        let authority = text.prefix { !"/?#".contains($0) }
        let host = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
        if host.hasPrefix("[") { return String(host.dropFirst().prefix { $0 != "]" }).lowercased() }
        return host.prefix { $0 != ":" }.lowercased()
    }

    /// Returns whether a host is this machine: `localhost` (RFC 6761 §6.3), 127.0.0.0/8 or ::1.
    private static func isLoopback(_ host: String) -> Bool {
        if host == "localhost" || host.hasSuffix(".localhost") || host == "::1" { return true }
        let numbers = host.split(separator: ".", omittingEmptySubsequences: false)
        return numbers.count == 4 && numbers[0] == "127" && numbers.allSatisfy { UInt8($0) != nil }
    }
}
