// SPDX-License-Identifier: Apache-2.0

import TernAuthentication
import TernRequests
import Testing

@Suite("Netrc")
struct NetrcTests {
    struct Row: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var text: String
        var host = "h"
        var user: String?
        var expected: String?
    }

    static let rows: [Row] = [
        .init(testDescription: "one line", text: "machine h login u password p", expected: "u:p"),
        .init(testDescription: "many lines", text: "machine\nh\r\n\tlogin\n u\n password\np\n", expected: "u:p"),
        .init(testDescription: "another host", text: "machine i login u password p"),
        .init(testDescription: "any case of the host", text: "machine H login u password p", expected: "u:p"),
        .init(
            testDescription: "any form of an address",
            text: "machine 0:0::0001 login u password p",
            host: "::1",
            expected: "u:p"
        ),
        .init(testDescription: "no part of a host", text: "machine h.example login u password p"),
        .init(
            testDescription: "the first of two",
            text: "machine h login u password p machine h login v password q",
            expected: "u:p"
        ),
        .init(
            testDescription: "the one with the name",
            text: "machine h login u password p machine h login v password q",
            user: "v",
            expected: "v:q"
        ),
        .init(testDescription: "none with the name", text: "machine h login u password p", user: "v"),
        .init(
            testDescription: "default",
            text: "machine i login u password p default login v password q",
            expected: "v:q"
        ),
        .init(
            testDescription: "the host before default",
            text: "machine h login u password p default login v password q",
            expected: "u:p"
        ),
        .init(
            testDescription: "default for another name",
            text: "machine h login u password p default password q",
            user: "w",
            expected: "w:q"
        ),
        .init(testDescription: "a password without a name", text: "machine h password p"),
        .init(testDescription: "a password for a given name", text: "machine h password p", user: "u", expected: "u:p"),
        .init(testDescription: "a name without a password", text: "machine h login u"),
        .init(testDescription: "account", text: "machine h login u account a password p", expected: "u:p"),
        .init(
            testDescription: "a keyword as the value of account",
            text: "machine h login u account login password p",
            expected: "u:p"
        ),
        .init(
            testDescription: "a comment",
            text: "# machine h login x password y\nmachine h login u password p # end",
            expected: "u:p"
        ),
        .init(testDescription: "a number sign in a value", text: "machine h login #u password p#q", expected: "#u:p#q"),
        .init(
            testDescription: "quotes",
            text: #"machine "h" login "a b" password "c\"d\\e\n\t\rf""#,
            expected: "a b:c\"d\\e\n\t\rf"
        ),
        .init(testDescription: "empty quotes", text: #"machine h login u password """#, expected: "u:"),
        .init(testDescription: "a quote within a word", text: #"machine h login u password a"b"#, expected: "u:a\"b"),
        .init(
            testDescription: "a keyword in quotes is a value",
            text: #"machine h login "password" password p"#,
            expected: "password:p"
        ),
        .init(
            testDescription: "a keyword as a value",
            text: "machine h login login password password",
            expected: "login:password"
        ),
        .init(
            testDescription: "a macro",
            text: "macdef init\nmachine h login x password y\ncd /\n\nmachine h login u password p",
            expected: "u:p"
        ),
        .init(
            testDescription: "a macro with CRLF",
            text: "macdef init\r\nmachine h login x password y\r\n\r\nmachine h login u password p",
            expected: "u:p"
        ),
        .init(
            testDescription: "a macro in an entry",
            text: "machine h login u\nmacdef m\nx\n\npassword p",
            expected: "u:p"
        ),
        .init(
            testDescription: "a macro without an end",
            text: "machine h login u password p\nmacdef m\nmachine h\n",
            expected: "u:p"
        ),
        .init(testDescription: "the last login counts", text: "machine h login u login v password p", expected: "v:p"),
        .init(
            testDescription: "text beyond ASCII",
            text: "machine h login jäsøn password größer😀",
            expected: "jäsøn:größer😀"
        ),
        .init(
            testDescription: "unknown keywords",
            text: "machine h protocol https port 21 login u ssl password p\nnote \"login x\" x",
            expected: "u:p"
        ),
        .init(
            testDescription: "unknown words before the first entry",
            text: "protocol https machine h login u password p",
            expected: "u:p"
        ),
        .init(
            testDescription: "a mistyped keyword",
            text: "machine h login u pasword p machine i",
            user: "u"
        ),
        .init(
            testDescription: "keywords in any letter case",
            text: "MACHINE h Login u PassWord p",
            expected: "u:p"
        ),
        .init(
            testDescription: "default in any letter case",
            text: "Default login u password p",
            expected: "u:p"
        ),
        .init(
            testDescription: "default before a machine",
            text: "default login u password p machine h login v password q",
            expected: "u:p"
        ),
        .init(
            testDescription: "default without a password before a machine",
            text: "default login u machine h login v password q",
            expected: "v:q"
        ),
        .init(
            testDescription: "the name after default",
            text: "default login u password p machine h login v password q",
            user: "v",
            expected: "v:q"
        ),
        .init(testDescription: "two defaults", text: "default default login u password p", expected: "u:p"),
        .init(
            testDescription: "a byte order mark",
            text: "\u{FEFF}machine h login u password p",
            expected: "u:p"
        ),
        .init(testDescription: "nothing", text: ""),
        .init(testDescription: "blanks", text: " \n\t\r\n"),
    ]

    static let refused: [(String, NetrcError)] = [
        ("machin h", .unknownKeyword(line: 1)),
        ("\n# my thesis\n{\"login\": \"u\"}", .unknownKeyword(line: 3)),
        ("\n\"machine\" h", .unknownKeyword(line: 2)),
        ("machine h note \"p", .unterminatedQuote(line: 1)),
        ("machine", .missingValue(line: 1)),
        ("machine h\nlogin \n\n", .missingValue(line: 2)),
        ("macdef", .missingValue(line: 1)),
        ("login u", .valueWithoutEntry(line: 1)),
        ("# x\npassword p", .valueWithoutEntry(line: 2)),
        ("machine h password \"p", .unterminatedQuote(line: 1)),
        ("machine h\npassword \"p\n\"", .unterminatedQuote(line: 2)),
        ("machine h password \"p\\", .unterminatedQuote(line: 1)),
        ("machine h password \"p\\\n\"", .unterminatedQuote(line: 1)),
    ]

    @Test(arguments: rows)
    func `a file is read`(_ row: Row) throws {
        let entry = try Netrc(parsing: row.text).entry(forHost: row.host, user: row.user)
        #expect(entry.map { "\($0.user):\($0.password)" } == row.expected)
    }

    @Test(arguments: refused)
    func `what is out of place is refused`(_ text: String, _ violation: NetrcError) {
        #expect(throws: violation) { _ = try Netrc(parsing: text) }
        #expect(violation.description.hasSuffix("."))
    }

    @Test
    func `a file is bounded`() throws {
        let limit = 128 * 1024
        #expect(try Netrc(parsing: String(repeating: "\n", count: limit)).entry(forHost: "h") == nil)
        #expect(throws: NetrcError.tooLong(limit: limit)) {
            _ = try Netrc(parsing: String(repeating: "\n", count: limit + 1))
        }
    }

    @Test(arguments: rows)
    func `every truncation is read or refused`(_ row: Row) {
        for end in row.text.indices {
            let netrc = try? Netrc(parsing: String(row.text[..<end]))
            #expect(netrc?.entry(forHost: "nobody's", user: "u")?.user ?? "u" == "u")
        }
    }

    @Test
    func `a file does not show itself`() throws {
        let netrc = try Netrc(parsing: "machine h login s3cret password s3cret")
        #expect(netrc.description == "Netrc, entries: 1 (***)")
        #expect(!CredentialTests.shown(netrc).contains("s3cret"))
        #expect(!CredentialTests.shown(NetrcCredentialStore(netrc)).contains("s3cret"))
    }

    @Test(arguments: [
        (Origin.Scheme.https, false, AuthenticationScheme.basic, true), (.https, false, .digest, true),
        (.http, false, .basic, true), (.https, true, .basic, false), (.https, false, .bearer, false),
        (.https, false, .serverTrust, false),
    ])
    func `a store gives it to servers that ask for a password`(
        _ scheme: Origin.Scheme,
        _ isProxy: Bool,
        _ authentication: AuthenticationScheme,
        _ isGiven: Bool
    ) async throws {
        let store = NetrcCredentialStore(try Netrc(parsing: "machine example.com login u password p"))
        let origin = Origin(scheme: scheme, host: "Example.com", port: 8080)
        let space = ProtectionSpace(origin: origin, isProxy: isProxy, scheme: authentication, realm: "any")
        let expected = isGiven ? Credential(user: "u", password: "p") : nil
        #expect(await store.credential(for: space) == expected)
        await store.remove(for: space)
        await store.store(Credential(user: "x", password: "y"), for: space)
        #expect(await store.credential(for: space) == expected)
    }
}
