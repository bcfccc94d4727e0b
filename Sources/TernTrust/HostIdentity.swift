// SPDX-License-Identifier: Apache-2.0
import SwiftASN1
import TernCLibrary
import X509

/// The host that a certificate must be for, with the rules for matching (RFC 9525 §6).
///
/// Stricter than swift-certificates: the common name never counts, a wildcard must be a whole label, and names are compared as
/// bytes, because strings can be equal although their bytes differ: the kelvin sign equals the letter K.
struct HostIdentity: Hashable, Sendable {
    private enum Form: Hashable {
        /// A name in lower case, without a final dot.
        case name([UInt8])
        case address([UInt8])
        /// Neither a name nor an address, so no certificate matches it.
        case neither
    }

    private let form: Form

    init(_ host: String) {
        if let address = Self.address(host) {
            self.form = .address(address)
        } else {
            var name = Self.lowercased(host[...])
            if name.last == UInt8(ascii: ".") { name.removeLast() }
            self.form = Self.isName(name) ? .name(name) : .neither
        }
    }

    func matches(_ names: some Sequence<GeneralName>) -> Bool {
        names.contains { name in
            switch (name, self.form) {
            case (.dnsName(let pattern), .name(let name)): Self.matches(pattern: pattern, name: name)
            case (.ipAddress(let bytes), .address(let address)): bytes.bytes.elementsEqual(address)
            default: false
            }
        }
    }

    /// Returns whether a name, whose left-most label may be exactly a wildcard (RFC 9525 §6.3), matches the name of a host.
    private static func matches(pattern: String, name: [UInt8]) -> Bool {
        let pattern = self.lowercased(pattern[...])
        guard pattern.starts(with: "*.".utf8) else { return pattern == name }
        // "A wildcard in a presented identifier can only match one label in a reference identifier."
        guard let dot = name.firstIndex(of: UInt8(ascii: ".")), dot > 0 else { return false }
        let rest = name[dot...]
        // At least two labels must follow the wildcard, as in OpenSSL: no party has authority over all of `*.com`.
        return rest == pattern.dropFirst() && rest.dropFirst().contains(UInt8(ascii: "."))
    }

    /// Returns the bytes with ASCII letters in lower case (RFC 4343).
    private static func lowercased(_ text: Substring) -> [UInt8] {
        text.utf8.map { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 ? $0 | 0x20 : $0 }
    }

    /// Returns whether a text has only letters, digits, hyphens and underscores between dots, like host names in URLs.
    private static func isName(_ bytes: [UInt8]) -> Bool {
        // The last label of an IPv4 address is a number; the last label of a name never is (RFC 1123 §2.1).
        guard let last = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).last,
            !last.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 })
        else { return false }
        return bytes.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
            case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"): true
            default: false
            }
        }
    }

    private static let maximumNameCount = 100

    static func texts(of names: some Sequence<GeneralName>) -> [String] {
        let texts = names.lazy.compactMap { name -> String? in
            switch name {
            case .dnsName(let text): text
            case .ipAddress(let bytes): self.text(ofAddress: Array(bytes.bytes))
            default: nil
            }
        }
        return Array(texts.prefix(self.maximumNameCount))
    }

    private static func text(ofAddress bytes: [UInt8]) -> String? {
        guard bytes.count == 4 || bytes.count == 16 else { return nil }
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let family = bytes.count == 4 ? AF_INET : AF_INET6
        guard inet_ntop(family, bytes, &text, socklen_t(text.count)) != nil else { return nil }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Returns the bytes of an address, if the text is one; only IPv6 may have brackets and a zone.
    private static func address(_ host: String) -> [UInt8]? {
        // `inet_pton` reads up to the first NUL.
        guard !host.utf8.contains(0) else { return nil }
        guard host.utf8.contains(UInt8(ascii: ":")) else {
            var v4 = in_addr()
            return inet_pton(AF_INET, host, &v4) == 1 ? withUnsafeBytes(of: v4, Array.init) : nil
        }
        var text = host[...]
        if text.hasPrefix("["), text.hasSuffix("]") { text = text.dropFirst().dropLast() }
        // The zone is left out, because it has a meaning only on this machine (RFC 6874 §1).
        var v6 = in6_addr()
        return inet_pton(AF_INET6, String(text.prefix { $0 != "%" }), &v6) == 1
            ? withUnsafeBytes(of: v6, Array.init) : nil
    }
}
