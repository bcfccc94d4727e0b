// SPDX-License-Identifier: Apache-2.0
import TernCookies
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("Netscape's cookies.txt")
struct NetscapeFileTests {
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)
    private static let title = "# Netscape HTTP Cookie File\n"

    private static func decode(_ text: String) throws(CookieFile.ForeignText) -> CookieFile.Content {
        try CookieFile.decode(netscape: Data(text.utf8), at: Self.now)
    }

    @Test func `what curl writes is read`() throws {
        let content = try Self.decode(
            Self.title + """
                # https://curl.se/docs/http-cookies.html

                .example.com\tTRUE\t/\tFALSE\t1800000060\tall\t1
                www.example.com\tFALSE\t/p\tTRUE\t0\tsession\ta=b "c"\r
                #HttpOnly_WWW.example.com\tFALSE\t/\tTRUE\t9999999999\thidden\t

                """
        )
        #expect(content.damagedLineCount == 0)
        let cookies = content.jar.cookies
        #expect(cookies.map(\.name) == ["all", "session", "hidden"])
        #expect(cookies.map(\.value) == ["1", "a=b \"c\"", ""])
        #expect(cookies.map(\.domain) == ["example.com", "www.example.com", "www.example.com"])
        #expect(cookies.map(\.isHostOnly) == [false, true, true])
        #expect(cookies.map(\.path) == ["/", "/p", "/"])
        #expect(cookies.map(\.isSecure) == [false, true, true])
        #expect(cookies.map(\.isHTTPOnly) == [false, false, true])
        #expect(cookies.map(\.expiry) == [Self.now + 60, nil, Self.now + 34_560_000])
    }

    static let wrong = [
        "example.com\tTRUE\t/\tFALSE\t0\tn", "example.com\tTRUE\t/\tFALSE\t0\tn\tv\tx",
        "example.com TRUE / FALSE 0 n v",
        "example.com\tYES\t/\tFALSE\t0\tn\tv", "example.com\tTRUE\t/\tno\t0\tn\tv",
        "example.com\tTRUE\t/\tFALSE\t-1\tn\tv",
        "example.com\tTRUE\t/\tFALSE\tsoon\tn\tv", "example.com\tTRUE\tp\tFALSE\t0\tn\tv", "\tTRUE\t/\tFALSE\t0\tn\tv",
        "example.com\tTRUE\t/\tFALSE\t0\tn\ta;b", "example.com\tTRUE\t/\tTRUE\t0\t__Host-n\tv",
        "example.com\tTRUE\t/\tFALSE\t99999999999999999999\tn\tv", "example.com\tTRUE\t/\tFALSE\t0\t\t",
    ]

    @Test(arguments: wrong)
    func `a line that is no cookie is counted and left out`(_ line: String) throws {
        let content = try Self.decode(Self.title + line + "\nexample.com\tFALSE\t/\tFALSE\t0\tgood\t1\n")
        #expect(content.damagedLineCount == 1)
        #expect(content.jar.cookies.map(\.name) == ["good"])
    }

    @Test func `one for a registry and one that has ended are left out`() throws {
        let text = Self.title + ".co.uk\tTRUE\t/\tFALSE\t0\ta\t1\nexample.com\tFALSE\t/\tFALSE\t1\tb\t1\n"
        #expect(try Self.decode(text).jar.count == 0)
    }

    @Test(arguments: ["", "hello", "example.com\tFALSE\t/\tFALSE\t0\tgood\t1\n"])
    func `a file that does not say what it is is refused`(_ text: String) {
        #expect(throws: CookieFile.ForeignText.self) { try Self.decode(text) }
    }
}
