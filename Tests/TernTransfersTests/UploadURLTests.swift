// SPDX-License-Identifier: Apache-2.0
import TernFoundation
import TernRequests
import TernTransfers
import Testing

@Suite("UploadURL: RFC 9110 §10.2.2")
struct UploadURLTests {
    private static func resolved(_ location: String, _ base: String) -> Result<String, LocationViolation> {
        let base = Samples.required(URL(string: base))
        return Result { () throws(LocationViolation) in try UploadURL(location: location, relativeTo: base).text }
    }

    @Test(
        arguments: [
            ("/uploads/abc", "https://example.com/uploads/abc"), ("abc?x=1", "https://example.com/files/abc?x=1"),
            ("//other.example/u", "https://other.example/u"), ("https://other.example:8443/u", nil),
            ("https://example.com/a%20b", nil), ("../u", "https://example.com/u"),
            ("?id=7", "https://example.com/files/new?id=7"),
        ] as [(String, String?)]
    )
    func `a reference is relative to the URL of the response`(_ location: String, _ expected: String?) {
        #expect(Self.resolved(location, "https://example.com/files/new?q") == .success(expected ?? location))
    }

    @Test(
        arguments: [
            ("", .malformed), ("ftp://example.com/u", .malformed), ("https://", .malformed),
            ("https://user@evil@example.com/", .malformed), ("data:,a", .malformed),
            ("http://other.example/u", .insecure), ("http://example.com:80/u", .insecure),
            ("http://example.com:8443/u", .insecure), ("http://www.example.com/u", .insecure),
            ("/" + String(repeating: "a", count: 8000), .tooLong),
        ] as [(String, LocationViolation)]
    )
    func `a URL that cannot be used has a reason`(_ location: String, _ violation: LocationViolation) {
        #expect(Self.resolved(location, "https://example.com/files") == .failure(violation))
    }

    @Test(
        arguments: [
            ("http://example.com/u?a=b%20c", "https://example.com/", "https://example.com/u?a=b%20c"),
            ("HTTP://Example.COM/u", "https://example.com/", "https://Example.COM/u"),
            ("http://example.com:443/u", "https://example.com/", "https://example.com:443/u"),
            ("http://example.com/u", "https://example.com:443/", "https://example.com/u"),
            ("http://example.com:8443/u", "https://example.com:8443/", "https://example.com:8443/u"),
            ("http://[::1]:8443/u", "https://[::1]:8443/", "https://[::1]:8443/u"),
        ]
    )
    func `a server behind a proxy with TLS may name http, and it stays https`(
        _ location: String,
        _ base: String,
        _ expected: String
    ) throws {
        #expect(Self.resolved(location, base) == .success(expected))
        let url = try UploadURL(location: location, relativeTo: Samples.required(URL(string: base)))
        #expect(url.origin.scheme == .https)
    }

    @Test(arguments: ["https://example.com:8443/", "https://example.com:80/"])
    func `another port is another server`(_ base: String) {
        #expect(Self.resolved("http://example.com/u", base) == .failure(.insecure))
    }

    @Test func `without TLS, the upload may be without TLS, too`() {
        #expect(Self.resolved("/u", "http://example.com/") == .success("http://example.com/u"))
        #expect(Self.resolved("https://example.com/u", "http://example.com/") == .success("https://example.com/u"))
    }

    /// The URL is a capability, so a log must not contain it.
    @Test func `no text of the value contains the path`() {
        let url = UploadSamples.elsewhere
        var dumped = ""
        dump(url, to: &dumped)
        #expect(!"\(url) \(dumped) \(String(reflecting: url))".contains("sig"))
        #expect("\(url)".hasPrefix("https://storage.example.net:443"))
    }
}
