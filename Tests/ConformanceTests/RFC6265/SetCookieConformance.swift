// SPDX-License-Identifier: Apache-2.0
import TernCookies
import TestSupport
import Testing

@Suite("RFC 6265bis, Set-Cookie", .hangLimit)
struct SetCookieConformance {
    private static func parse(_ bytes: [UInt8]) throws(CookieViolation) -> SetCookie {
        try SetCookie(parsing: ContiguousArray(bytes).span)
    }

    private static func parse(_ text: String) throws(CookieViolation) -> SetCookie { try Self.parse(Array(text.utf8)) }

    // MARK: Name and value

    struct Pair: Hashable {
        var name: String
        var value: String
    }

    static let pairs: [Vector<Pair>] = [
        Vector("§5.6", "a pair", "a=b", Pair(name: "a", value: "b")),
        Vector("§5.6", "attributes are not part of it", "a=b;c=d", Pair(name: "a", value: "b")),
        Vector("§5.6", "the first sign divides", "a=b=c", Pair(name: "a", value: "b=c")),
        Vector("§5.6", "a sign among the attributes does not", "a;b=c", Pair(name: "", value: "a")),
        Vector("§5.6", "no sign: a value without a name", "a", Pair(name: "", value: "a")),
        Vector("§5.6", "an empty name", "=a", Pair(name: "", value: "a")),
        Vector("§5.6", "an empty value", "a=", Pair(name: "a", value: "")),
        Vector("§5.6", "neither", "", Pair(name: "", value: "")),
        Vector("§5.6", "white space at the ends", " \ta\t =\t b \t;", Pair(name: "a", value: "b")),
        Vector("§5.6", "white space within", "a b=c\td", Pair(name: "a b", value: "c\td")),
        Vector("§5.6", "quotes are part of it", "a=\"b\"", Pair(name: "a", value: "\"b\"")),
        Vector("§5.6", "a comma does not divide", "a=b, c=d", Pair(name: "a", value: "b, c=d")),
        Vector("§5.6", "UTF-8", "a=ü", Pair(name: "a", value: "ü")),
        // "a user agent MUST NOT decode these sequences and instead parse the individual octets"
        Vector("§5.6", "percent-encoded bytes", "%61=%3B%62", Pair(name: "%61", value: "%3B%62")),
    ]

    @Test(arguments: pairs)
    func `5.6: name and value`(_ vector: Vector<Pair>) throws {
        let field = try Self.parse(vector.bytes)
        #expect(field.nameBytes == Array(vector.expected.name.utf8))
        #expect(field.valueBytes == Array(vector.expected.value.utf8))
    }

    @Test func `5.6: bytes that are no text are kept as they are`() throws {
        let field = try Self.parse([0x61, 0xFF, 0x3D, 0x80, 0xC3])
        #expect(field.nameBytes == [0x61, 0xFF])
        #expect(field.valueBytes == [0x80, 0xC3])
    }

    @Test(arguments: Array(0...0x1F) + [0x7F])
    func `5.6 step 1: a control character anywhere has the field ignored; a tab does not`(_ byte: UInt8) {
        for text in ["a=b", "a=b; path=/; x=y"] {
            for index in 0...text.utf8.count {
                var bytes = Array(text.utf8)
                bytes.insert(byte, at: index)
                if byte == 0x09 {
                    #expect(throws: Never.self) { try Self.parse(bytes) }
                } else {
                    #expect(throws: CookieViolation.controlCharacter) { try Self.parse(bytes) }
                }
            }
        }
    }

    @Test func `5.6 step 5: name and value have 4096 bytes together at most`() throws {
        let longest = String(repeating: "v", count: 4095)
        #expect(try Self.parse("n=\(longest)").valueBytes.count == 4095)
        #expect(try Self.parse("\(longest)=v").nameBytes.count == 4095)
        #expect(try Self.parse(" n = \(longest) ; Path=/").valueBytes.count == 4095)
        #expect(throws: CookieViolation.tooLong) { try Self.parse("nn=\(longest)") }
        #expect(throws: CookieViolation.tooLong) { try Self.parse("v\(longest)v") }
    }

    // MARK: Attributes

    @Test func `5.6: names of attributes have no case; unknown ones are ignored; white space is`() throws {
        let field = try Self.parse(
            "a=b;  SECURE ;httpONLY=x; \tpath \t= /p ;priority=high;;=;partitioned; Max-aGe=9;samesite=LAX"
        )
        #expect(field.isSecure)
        #expect(field.isHTTPOnly)
        #expect(field.path == .path("/p"))
        #expect(field.maximumAge == 9)
        #expect(field.sameSite == .lax)
        #expect(field.domainBytes == nil)
        #expect(field.expires == nil)
    }

    @Test func `5.6 attributes step 6: a value of more than 1024 bytes is ignored`() throws {
        let path = "/" + String(repeating: "p", count: 1023)
        #expect(try Self.parse("a=b; Path=\(path)").path == .path(path))
        #expect(try Self.parse("a=b; Path=/old; Path=\(path)p").path == .path("/old"))
        #expect(try Self.parse("a=b; Domain=\(String(repeating: "d", count: 1025))").domainBytes == nil)
    }

    static let ages: [Vector<Int?>] = [
        Vector("§5.6.2", "seconds", "60", 60),
        Vector("§5.6.2", "zeros before", "00060", 60),
        Vector("§5.6.2", "none", "0", 0),
        Vector("§5.6.2", "less than none", "-1", 0),
        Vector("§5.6.2", "much less than none", "-99999999999999999999999", 0),
        Vector("§5.5", "400 days", "34560000", 34_560_000),
        Vector("§5.5", "more than 400 days", "34560001", 34_560_000),
        Vector("§5.5", "more than a number holds", "99999999999999999999999999999", 34_560_000),
        Vector("§5.6.2", "nothing", "", nil),
        Vector("§5.6.2", "only a sign", "-", nil),
        Vector("§5.6.2", "a plus sign", "+60", nil),
        Vector("§5.6.2", "a letter at the end", "60s", nil),
        Vector("§5.6.2", "a fraction", "1.5", nil),
        Vector("§5.6.2", "a letter first", "x60", nil),
        Vector("§5.6.2", "two signs", "--60", nil),
        Vector("§5.6.2", "a hexadecimal number", "0x60", nil),
        Vector("§5.6.2", "quotes", "\"60\"", nil),
    ]

    @Test(arguments: ages)
    func `5.6.2: Max-Age`(_ vector: Vector<Int?>) throws {
        #expect(try Self.parse(Array("a=b; Max-Age=".utf8) + vector.bytes).maximumAge == vector.expected)
        let later = try Self.parse(Array("a=b; Max-Age=7; Max-Age=".utf8) + vector.bytes)
        #expect(later.maximumAge == vector.expected ?? 7)
    }

    static let domains: [Vector<String?>] = [
        Vector("§5.6.3", "a name", "a=b; Domain=example.com", "example.com"),
        Vector("§5.6.3", "a dot before it", "a=b; Domain=.example.com", "example.com"),
        Vector("§5.6.3", "only one dot is taken away", "a=b; Domain=..example.com", ".example.com"),
        Vector("§5.6.3", "lower case", "a=b; Domain=EXAMPLE.Com", "example.com"),
        Vector("§5.6.3", "empty", "a=b; Domain=", ""),
        Vector("§5.6.3", "only a dot", "a=b; Domain=.", ""),
        Vector("§5.6.3", "no value", "a=b; Domain", ""),
        Vector("§5.6.3", "the last one", "a=b; Domain=a.example; Domain=b.example", "b.example"),
        Vector("§5.6.3", "the last one, though empty", "a=b; Domain=a.example; Domain=", ""),
    ]

    @Test(arguments: domains)
    func `5.6.3: Domain`(_ vector: Vector<String?>) throws {
        #expect(try Self.parse(vector.bytes).domainBytes == vector.expected.map { Array($0.utf8) })
    }

    static let paths: [Vector<SetCookie.Path?>] = [
        Vector("§5.6.4", "a path", "a=b; Path=/p", .path("/p")),
        Vector("§5.6.4", "empty", "a=b; Path=", .default),
        Vector("§5.6.4", "no slash", "a=b; Path=p", .default),
        Vector("§5.6.4", "quotes are no slash", "a=b; Path=\"/\"", .default),
        Vector("§5.6.4", "the last one", "a=b; Path=/p; Path=/q", .path("/q")),
        Vector("§5.6.4", "the last one, though it is none", "a=b; Path=/p; Path=q", .default),
        Vector("§5.6.4", "none", "a=b", nil),
    ]

    @Test(arguments: paths)
    func `5.6.4: Path`(_ vector: Vector<SetCookie.Path?>) throws {
        #expect(try Self.parse(vector.bytes).path == vector.expected)
    }

    @Test func `5.6.5, 5.6.6: Secure and HttpOnly count whatever their value`() throws {
        #expect(try Self.parse("a=b; Secure=false").isSecure)
        #expect(try Self.parse("a=b; HttpOnly=0").isHTTPOnly)
        #expect(try !Self.parse("a=b; Secured; HttpOnlyish").isSecure)
        #expect(try !Self.parse("a=b; Secured; HttpOnlyish").isHTTPOnly)
    }

    @Test(arguments: [";", ";a", "; a=b", ";=", "; =;;  "])
    func `5.6: a field is read in a time that grows with its length, not with its square`(_ part: String) throws {
        // A parser that read each attribute up to the end of the field would read about 10^11 bytes.
        let field = try Self.parse("a" + String(repeating: part, count: 300_000))
        #expect(field.nameBytes.isEmpty && field.valueBytes == Array("a".utf8))
    }

    static let sites: [Vector<Cookie.SameSite>] = [
        Vector("§5.6.7", "none", "a=b; SameSite=None", .none),
        Vector("§5.6.7", "strict", "a=b; SameSite=sTRICT", .strict),
        Vector("§5.6.7", "lax", "a=b; SameSite=Lax", .lax),
        Vector("§5.6.7", "another word", "a=b; SameSite=Sometimes", .unspecified),
        Vector("§5.6.7", "no word", "a=b; SameSite", .unspecified),
        Vector("§5.6.7", "the last one, though unknown", "a=b; SameSite=Strict; SameSite=?", .unspecified),
        Vector("§5.6.7", "nothing", "a=b", .unspecified),
    ]

    @Test(arguments: sites)
    func `5.6.7: SameSite`(_ vector: Vector<Cookie.SameSite>) throws {
        #expect(try Self.parse(vector.bytes).sameSite == vector.expected)
    }
}
