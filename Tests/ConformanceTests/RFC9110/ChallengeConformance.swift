// SPDX-License-Identifier: Apache-2.0

import TernAuthentication
import TestSupport
import Testing

@Suite("RFC 9110 §11: challenges")
struct ChallengeConformance {
    typealias Row = Vector<[HTTPChallenge]>

    private static let basic = challenge("Basic", ["realm": "foo"])

    private static func challenge(
        _ scheme: String,
        _ parameters: KeyValuePairs<String, String> = [:],
        token68: String? = nil
    ) -> HTTPChallenge {
        HTTPChallenge(
            scheme: .init(rawValue: scheme),
            parameters: parameters.map { .init(name: $0.key, value: $0.value) },
            token68: token68
        )
    }

    static let single: [Row] = [
        .init("§11.3", "a quoted realm", #"Basic realm="foo""#, [basic]),
        .init("§11.3", "a realm that is a token", "Basic realm=foo", [basic]),
        .init(
            "§5.6.2",
            "a single quote is a character of tokens",
            "Basic realm='foo'",
            [challenge("Basic", ["realm": "'foo'"])]
        ),
        .init("§11.1", "a scheme in any case", #"bASIC realm="foo""#, [basic]),
        .init("§11.2", "a name in any case", #"Basic REALM="foo""#, [basic]),
        .init("§11.3", "a scheme alone", "Negotiate", [challenge("Negotiate")]),
        .init("§11.3", "a scheme and a blank", "Negotiate ", [challenge("Negotiate")]),
        .init("§11.3", "blanks around it", " \tNegotiate\t ", [challenge("Negotiate")]),
        .init("§11.3", "more than one blank", #"Basic   realm="foo""#, [basic]),
        .init("§11.2", "BWS around the equals sign", "Basic realm \t=  \"foo\"", [basic]),
        .init("§5.6.4", "escapes", #"Basic realm="\f\o\o""#, [basic]),
        .init("§5.6.4", "quotes in quotes", #"Basic realm="\"foo\"""#, [challenge("Basic", ["realm": "\"foo\""])]),
        .init("§5.6.4", "a backslash", #"Basic realm="a\\""#, [challenge("Basic", ["realm": "a\\"])]),
        .init("§5.6.4", "an empty string", #"Basic realm="""#, [challenge("Basic", ["realm": ""])]),
        .init(
            "§5.6.4",
            "commas and equals signs in quotes",
            #"Basic realm="a, Digest b=c""#,
            [challenge("Basic", ["realm": "a, Digest b=c"])]
        ),
        .init("§5.6.4", "a tab in quotes", "Basic realm=\"a\tb\"", [challenge("Basic", ["realm": "a\tb"])]),
        .init("§5.6.4", "text beyond ASCII", "Basic realm=\"größer 😀\"", [challenge("Basic", ["realm": "größer 😀"])]),
        .init(
            "§5.6.4",
            "text beyond ASCII behind a backslash",
            "Basic realm=\"\\ö\"",
            [challenge("Basic", ["realm": "ö"])]
        ),
        .init(
            "§11.2",
            "a name within a value",
            #"Basic foo="realm=x", realm="foo""#,
            [challenge("Basic", ["foo": "realm=x", "realm": "foo"])]
        ),
        .init(
            "§11.2",
            "another name with the same end",
            #"Basic nottherealm="x", realm="foo""#,
            [challenge("Basic", ["nottherealm": "x", "realm": "foo"])]
        ),
        .init("§11.2", "token68", "Negotiate YII+/-._~==", [challenge("Negotiate", token68: "YII+/-._~==")]),
        .init(
            "§11.2",
            "token68 with what looks like a parameter",
            "Negotiate abc=",
            [challenge("Negotiate", token68: "abc=")]
        ),
        .init("§11.2", "token68 and blanks", "Negotiate abc \t", [challenge("Negotiate", token68: "abc")]),
    ]

    static let lists: [Row] = [
        .init("§11.6.1", "no challenge", "", []),
        .init("§5.6.1.2", "empty elements alone", " ,,\t, ", []),
        .init("§5.6.1.2", "an empty element first", #", Basic realm="foo""#, [basic]),
        .init("§5.6.1.2", "an empty element last", #"Basic realm="foo" ,"#, [basic]),
        .init(
            "§5.6.1.2",
            "empty elements among parameters",
            #"Basic realm="foo", bar="xyz",, a=b,,,c=d"#,
            [challenge("Basic", ["realm": "foo", "bar": "xyz", "a": "b", "c": "d"])]
        ),
        .init("§5.6.1.2", "an empty element before the parameters", #"Basic , realm="foo""#, [basic]),
        .init(
            "§11.6.1",
            "the example",
            #"Basic realm="simple", Newauth realm="apps", type=1, title="Login to \"apps\"""#,
            [
                challenge("Basic", ["realm": "simple"]),
                challenge("Newauth", ["realm": "apps", "type": "1", "title": "Login to \"apps\""]),
            ]
        ),
        .init(
            "§11.6.1",
            "the example, the other way round",
            #"Newauth realm="apps", type=1, title="Login to \"apps\"", Basic realm="simple""#,
            [
                challenge("Newauth", ["realm": "apps", "type": "1", "title": "Login to \"apps\""]),
                challenge("Basic", ["realm": "simple"]),
            ]
        ),
        .init("§11.6.1", "a scheme alone behind", #"Basic realm="foo", Newauth"#, [basic, challenge("Newauth")]),
        .init("§11.6.1", "a scheme alone before", #"Newauth, Basic realm="foo""#, [challenge("Newauth"), basic]),
        .init(
            "§11.6.1",
            "without blanks",
            #"Newauth,Basic realm="foo",Other a=b"#,
            [challenge("Newauth"), basic, challenge("Other", ["a": "b"])]
        ),
        .init(
            "§11.6.1",
            "token68 among others",
            #"Negotiate ab==, Basic realm="foo""#,
            [challenge("Negotiate", token68: "ab=="), basic]
        ),
        .init("§11.6.1", "the same scheme twice", "Basic realm=foo, Basic realm=foo", [basic, basic]),
    ]

    static let refused: [Vector<ChallengeViolation>] = [
        .init("§11.3", "a parameter without a scheme", #"realm="foo""#, .parameterWithoutScheme(at: 0)),
        .init("§11.3", "a comma in place of the blank", #"Basic, realm="foo""#, .parameterWithoutScheme(at: 7)),
        .init("§11.3", "a parameter behind token68", "Negotiate abc, a=b", .parameterWithoutScheme(at: 15)),
        .init("§11.2", "the same parameter twice", #"Basic realm="a", realm="b""#, .repeatedParameter(at: 17)),
        .init("§11.2", "in another case", #"Basic realm="a", REALM="a""#, .repeatedParameter(at: 17)),
        .init("§5.6.4", "no end of quotes", #"Basic realm="foo"#, .unterminatedString(at: 12)),
        .init("§5.6.4", "an escape at the end", #"Basic realm="foo\"#, .unterminatedString(at: 12)),
        .init("§5.6.4", "an escaped end", #"Basic realm="foo\""#, .unterminatedString(at: 12)),
        .init("§5.6.4", "NUL", "Basic realm=\"a\0\"", .invalidString(at: 12)),
        .init("§5.6.4", "a line break", "Basic realm=\"a\r\nb\"", .invalidString(at: 12)),
        .init("§5.6.4", "DEL behind a backslash", "Basic realm=\"\\\u{7F}\"", .invalidString(at: 12)),
        .init("§11.2", "a backslash in a token", #"Basic realm=\f\o\o"#, .malformed(at: 12)),
        .init("§11.2", "no value", "Basic realm=, a=b", .parameterWithoutScheme(at: 14)),
        .init("§11.2", "no value and no comma", "Basic a=b, realm=", .malformed(at: 17)),
        .init("§11.2", "no name", #"Basic ="foo""#, .parameterWithoutScheme(at: 0)),
        .init("§11.2", "something behind a string", #"Basic realm="a"b"#, .malformed(at: 15)),
        .init("§11.2", "no comma between parameters", "Basic a=b c=d", .malformed(at: 10)),
        .init("§11.3", "two words", "Negotiate abc def", .malformed(at: 14)),
        .init("§11.3", "a string in place of a scheme", #""Basic" realm="a""#, .malformed(at: 0)),
        .init("§11.3", "a semicolon", "Basic realm=a; b=c", .malformed(at: 13)),
        .init("§11.3", "a scheme beyond ASCII", "Bäsic realm=a", .malformed(at: 1)),
        .init("§11.3", "a control character", "Basic\u{1}", .malformed(at: 5)),
    ]

    @Test(arguments: single)
    func `one challenge is taken apart`(_ vector: Row) throws {
        #expect(try HTTPChallenge.parse([vector.text]) == vector.expected)
    }

    @Test(arguments: lists)
    func `challenges and parameters are told apart`(_ vector: Row) throws {
        #expect(try HTTPChallenge.parse([vector.text]) == vector.expected)
    }

    @Test(arguments: single + lists)
    func `fields are like lists`(_ vector: Row) throws {
        let twice = try HTTPChallenge.parse([vector.text, vector.text])
        #expect(twice == vector.expected + vector.expected)
        #expect(
            try HTTPChallenge.parse(["\(vector.text),Last", vector.text]).last == twice.last ?? Self.challenge("Last")
        )
    }

    @Test(arguments: refused)
    func `what is no challenge is refused`(_ vector: Vector<ChallengeViolation>) {
        #expect(throws: vector.expected) { _ = try HTTPChallenge.parse([vector.text]) }
        #expect(throws: vector.expected) {
            _ = try HTTPChallenge.parse(["Basic realm=foo", vector.text])
        }
    }

    @Test
    func `§11_6_1 a challenge does not go on in another field`() {
        #expect(throws: ChallengeViolation.parameterWithoutScheme(at: 0)) {
            _ = try HTTPChallenge.parse(["Basic realm=foo", "charset=UTF-8"])
        }
    }

    @Test(arguments: (single + lists).map(\.text) + refused.map(\.text))
    func `every truncation is read or refused`(_ text: String) {
        for end in text.indices {
            let challenges = try? HTTPChallenge.parse([String(text[..<end])])
            // A value that is cut off cannot have more challenges than the whole value.
            #expect((challenges ?? []).count <= 3)
        }
    }
}

extension Vector {
    fileprivate var text: String { String(decoding: self.bytes, as: UTF8.self) }
}
