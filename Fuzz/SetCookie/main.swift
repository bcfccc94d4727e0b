// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import TernCookies

/// Reads lines as the values of `Set-Cookie`, and traps if the cookies in the jar break a rule or exceed its limits.
///
/// The same bytes are also read as a cookie file in both formats, and as a host, to look up its public suffix.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzSetCookie(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = UnsafeBufferPointer(start: start, count: count)
    let now = Date(timeIntervalSince1970: 1_800_000_000)
    let limits = CookieLimits(maximumCookiesPerDomain: 4, maximumCookieCount: 6, maximumFieldByteCount: 200)
    var jar = CookieJar(limits: limits)
    let requests = [
        CookieRequest(host: "www.example.com", isSecure: true, path: "/a/b"),
        CookieRequest(host: "example.com", isSecure: false),
        CookieRequest(host: "10.0.0.1", isSecure: true, path: "", cause: .crossSite),
    ]
    for (index, line) in bytes.split(separator: 0x0A).enumerated() {
        let request = requests[index % requests.count]
        guard let field = try? SetCookie(parsing: Array(line).span) else { continue }
        precondition(field.nameBytes.count + field.valueBytes.count <= 4096, "too long")
        precondition((field.maximumAge ?? 0) <= 34_560_000 && (field.maximumAge ?? 0) >= 0, "an age out of range")
        try? jar.receive(field, from: request, at: now)
        check(jar, limits, now)
    }
    for request in requests {
        let cookies = jar.cookies(for: request, at: now)
        let value = Cookie.fieldValue(of: cookies)
        precondition(value.count <= limits.maximumFieldByteCount, "a long field")
        precondition(!value.contains { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F }, "a control character")
        precondition(cookies.allSatisfy { request.isSecure || !$0.isSecure }, "a secure cookie in the clear")
    }
    // Writing and reading must not change the stored cookies.
    let content = try? CookieFile.decode(CookieFile.encode(jar, includesSession: true), limits: limits, at: now)
    precondition(content?.jar.cookies == jar.cookies && content?.damagedLineCount == 0, "the file differs")
    if let content = try? CookieFile.decode(Data(bytes), limits: limits, at: now) { check(content.jar, limits, now) }
    if let content = try? CookieFile.decode(netscape: Data(bytes), limits: limits, at: now) {
        check(content.jar, limits, now)
    }
    let host = String(decoding: bytes, as: UTF8.self)
    if let domain = PublicSuffixList.bundled.registrableDomain(of: host) {
        precondition(!PublicSuffixList.bundled.isPublicSuffix(String(domain)), "a domain that is a suffix")
        precondition(PublicSuffixList.bundled.registrableDomain(of: String(domain)) == domain, "another domain")
    }
    return 0
}

/// Checks the invariants of a jar.
func check(_ jar: CookieJar, _ limits: CookieLimits, _ now: Date) {
    let cookies = jar.cookies
    precondition(cookies.count == jar.count && jar.count <= limits.maximumCookieCount, "too many")
    let domains = Dictionary(grouping: cookies, by: \.domain)
    precondition(domains.values.allSatisfy { $0.count <= limits.maximumCookiesPerDomain }, "too many of a domain")
    for cookie in cookies {
        precondition(!cookie.isExpired(at: now), "it has ended")
        precondition(cookie.path.utf8.first == UInt8(ascii: "/"), "no path")
        precondition(cookie.isHostOnly || !PublicSuffixList.bundled.isPublicSuffix(cookie.domain), "for a registry")
        precondition(cookie.sameSite != .none || cookie.isSecure, "for all sites, and not secure")
        let name = cookie.name.lowercased()
        precondition(!name.hasPrefix("__secure-") || cookie.isSecure, "no secure one")
        precondition(
            !name.hasPrefix("__host-") || cookie.isSecure && cookie.isHostOnly && cookie.path == "/",
            "no host's"
        )
    }
}
