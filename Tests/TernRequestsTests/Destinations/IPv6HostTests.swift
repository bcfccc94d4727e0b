// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernErrors
import TernRequests
import Testing

@Suite("IPv6 addresses have one text (RFC 5952)")
struct IPv6HostTests {
    static let addresses: [(text: String, canonical: String)] = [
        ("0:0:0:0:0:0:0:1", "::1"), ("::0001", "::1"), ("0::1", "::1"), ("::0:1", "::1"), ("0:0:0:0:0:0:0:0", "::"),
        ("2001:DB8:0:0:0:0:2:1", "2001:db8::2:1"), ("2001:db8:0:1:1:1:1:1", "2001:db8:0:1:1:1:1:1"),
        ("2001:db8::1:1:1:1:1", "2001:db8:0:1:1:1:1:1"), ("2001:0:0:1:0:0:0:1", "2001:0:0:1::1"),
        ("2001:db8:0:0:1:0:0:1", "2001:db8::1:0:0:1"), ("1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:0"),
        ("::2:3:4:5:6:7:8", "0:2:3:4:5:6:7:8"), ("1:0:0:0:0:0:0:0", "1::"),
        ("0:0:0:0:0:FFFF:1.2.3.4", "::ffff:1.2.3.4"),
        ("::ffff:102:304", "::ffff:1.2.3.4"), ("::1.2.3.4", "::102:304"), ("64:ff9b::192.0.2.33", "64:ff9b::c000:221"),
        ("1:2:3:4:5:6:255.255.0.1", "1:2:3:4:5:6:ffff:1"), ("FE80:0000::00aB", "fe80::ab"),
    ]

    @Test(arguments: addresses)
    func `each form of an address is the same origin and the same Host`(text: String, canonical: String) throws {
        let destination = try Request(.get, "http://[\(text)]:8080/x").destination()
        #expect(destination.origin.host == canonical)
        #expect(destination.hostField == "[\(canonical)]:8080")
        #expect(destination.origin == Origin(scheme: .http, host: canonical, port: 8080))
        #expect(Origin(scheme: .http, host: "[\(text)]", port: 8080) == destination.origin)
        #expect(Origin(scheme: .http, host: text, port: 8080) == destination.origin)
        #expect(try Request(.get, "http://[\(canonical)]:8080/x").destination() == destination)
    }

    // MARK: Zones

    @Test func `a zone is a part of where to connect, and never of Host`() throws {
        let destination = try Request(.get, "http://[FE80:0::1%25Lo.1]:81/").destination()
        #expect(destination.origin.host == "fe80::1%Lo.1")
        #expect(destination.hostField == "[fe80::1]:81")
        #expect(destination.origin.description == "http://[fe80::1%25Lo.1]:81")
        #expect(destination.origin == Origin(scheme: .http, host: "[fe80::1%Lo.1]", port: 81))
        #expect(try Request(.get, "http://[fe80::1%25lo]/").destination().hostField == "[fe80::1]")
    }

    @Test func `each zone is another origin`() throws {
        let origins = try ["fe80::1", "fe80::1%25a", "fe80::1%25b"].map {
            try Request(.get, "http://[\($0)]/").destination().origin
        }
        #expect(Set(origins).count == 3)
    }

    @Test(arguments: [
        "::1%25lo", "2001:db8::1%25lo", "fec0::1%25lo", "fe80::1%25", "fe80::1%", "fe80::1%lo", "fe80::1%2", "%25lo",
        "fe80::1%25a%25b", "fe80::1%25a%20", "fe80::1%25a/b", "fe80::1%25a@b", "fe80::1%41a",
    ])
    func `a zone has its form, and stands behind a link-local address`(text: String) {
        #expect(throws: RequestFailure.self) { try Request(.get, "http://[\(text)]/").destination() }
    }
}
