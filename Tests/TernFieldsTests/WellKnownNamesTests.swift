// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing

@_spi(CrossModuleInlining) @testable import TernFields

@Suite("Well-known names")
struct WellKnownNamesTests {
    static let names = [
        "Age", "ETag", "Vary", "Date", "Via", "Allow", "Alt-Svc", "Link", "Server", "Pragma", "CF-RAY", "Expires",
        "Trailer", "Upgrade", "X-Cache", "Location", "Priority", "Connection", "Keep-Alive", "Set-Cookie", "Tracestate",
        "Retry-After", "Traceparent", "Content-Type", "Proxy-Status", "X-Powered-By", "X-Request-ID", "Accept-Ranges",
        "Cache-Control", "Content-Range", "Last-Modified", "Server-Timing", "Content-Length", "CF-Cache-Status",
        "Referrer-Policy", "X-Frame-Options", "Content-Encoding", "Content-Language", "Content-Location",
        "WWW-Authenticate", "X-XSS-Protection", "Transfer-Encoding", "Permissions-Policy", "Proxy-Authenticate",
        "Authentication-Info", "Content-Disposition", "Timing-Allow-Origin", "Sec-WebSocket-Accept",
        "Access-Control-Max-Age", "Sec-WebSocket-Protocol", "X-Content-Type-Options", "Content-Security-Policy",
        "Sec-WebSocket-Extensions", "Proxy-Authentication-Info", "Strict-Transport-Security",
        "Access-Control-Allow-Origin", "Access-Control-Allow-Headers", "Access-Control-Allow-Methods",
        "Cross-Origin-Resource-Policy", "Access-Control-Expose-Headers", "Access-Control-Allow-Credentials",
        "Content-Security-Policy-Report-Only",
    ]

    private static func wellKnown(_ name: String) -> HTTPField.Name? {
        Array(name.utf8).withUnsafeBytes { HTTPField.Name.wellKnown(ByteView($0), 0..<$0.count) }
    }

    @Test(arguments: names)
    func `a common name is found in any case, and is itself`(_ name: String) {
        #expect(Self.wellKnown(name)?.rawName == name)
        #expect(Self.wellKnown(name.lowercased())?.rawName == name)
        #expect(Self.wellKnown(name.uppercased())?.rawName == name)
        #expect(Self.wellKnown(name)?.canonicalName == name.lowercased())
    }

    @Test(arguments: names)
    func `a name that differs in one byte is another`(_ name: String) {
        let bytes = Array(name.utf8)
        for index in bytes.indices {
            var other = bytes
            other[index] = other[index] == UInt8(ascii: "q") ? UInt8(ascii: "!") : UInt8(ascii: "q")
            let text = String(decoding: other, as: UTF8.self)
            #expect(Self.wellKnown(text)?.canonicalName != name.lowercased(), "\(text)")
        }
        #expect(Self.wellKnown(name + "x") == nil)
        #expect(Self.wellKnown(String(name.dropLast()))?.canonicalName != name.lowercased())
    }

    @Test(arguments: ["", "x", "x-unknown", "x-a-rather-long-name-that-nobody-has-registered-so-far"])
    func `a rare name is not found`(_ name: String) {
        #expect(Self.wellKnown(name) == nil)
    }
}
