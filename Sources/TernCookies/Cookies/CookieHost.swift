// SPDX-License-Identifier: Apache-2.0

/// Rules for hosts of cookies (RFC 6265bis §5.1.2, §5.1.3), which are already in lower case and ASCII.
enum CookieHost {
    /// Returns whether a host domain-matches a domain (§5.1.3).
    static func matches(_ host: String, domain: String) -> Bool {
        if host == domain { return true }
        // "The domain string is a suffix of the string. The last character of the string that is not included in the
        // domain string is a "." character. The string is a host name (i.e., not an IP address)."
        let (host, domain) = (host.utf8, domain.utf8)
        guard !domain.isEmpty, host.count > domain.count, host.suffix(domain.count).elementsEqual(domain) else {
            return false
        }
        let before = host.index(host.endIndex, offsetBy: -domain.count - 1)
        return host[before] == UInt8(ascii: ".") && !Self.isIPAddress(host)
    }

    /// Returns whether a host is an IPv4 address, or an IPv6 address without brackets.
    static func isIPAddress(_ host: String) -> Bool { self.isIPAddress(host.utf8) }

    private static func isIPAddress(_ host: String.UTF8View) -> Bool {
        if host.contains(UInt8(ascii: ":")) { return true }
        // A name never ends in a number: the URL parser accepts a number at the end only in an address.
        let last = host.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: true).last
        guard let last else { return false }
        return last.allSatisfy { 0x30...0x39 ~= $0 }
    }
}
