// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import TernWebSocketCore
import Testing

@Suite("RFC 6455 §4.1: the server's answer")
struct HandshakeConformance {
    private static let nothing = AcceptedHandshake()
    private static let upgrade: (HTTPField.Name, String) = (.upgrade, "websocket")
    private static let connection: (HTTPField.Name, String) = (.connection, "Upgrade")
    private static let accept: (HTTPField.Name, String) = (.secWebSocketAccept, "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
    private static let good = HandshakeVector.good

    static let switches: [HandshakeVector] = [
        .init("§1.3", "the least", good, .success(nothing)),
        .init("§4.1", "200", status: 200, good, .failure(.notSwitched(status: 200))),
        .init("§4.1", "401 without any of the fields", status: 401, [], .failure(.notSwitched(status: 401))),
        .init("§4.1", "302", status: 302, good, .failure(.notSwitched(status: 302))),
        .init("§4.1", "no Upgrade", [connection, accept], .failure(.missingUpgrade)),
        .init("§4.1", "an empty Upgrade", [(.upgrade, ""), connection, accept], .failure(.wrongUpgrade)),
        .init("§4.1", "another Upgrade", [(.upgrade, "h2c"), connection, accept], .failure(.wrongUpgrade)),
        .init("§4.1", "a longer one", [(.upgrade, "websockets"), connection, accept], .failure(.wrongUpgrade)),
        .init("§4.1", "more than one", [(.upgrade, "websocket, h2c"), connection, accept], .failure(.wrongUpgrade)),
        .init("§4.1", "two fields", [upgrade, upgrade, connection, accept], .failure(.wrongUpgrade)),
        .init("§4.1", "any case", [(.upgrade, "WebSocket"), (.connection, "uPGRADE"), accept], .success(nothing)),
        .init(
            "§4.1",
            "only ASCII has case",
            [(.upgrade, "web\u{17F}ocket"), connection, accept],
            .failure(.wrongUpgrade)
        ),
        .init("§4.1", "no Connection", [upgrade, accept], .failure(.missingConnection)),
        .init("§4.1", "another Connection", [upgrade, (.connection, "close"), accept], .failure(.wrongConnection)),
        .init("§4.1", "no token of it", [upgrade, (.connection, "Upgraded, x"), accept], .failure(.wrongConnection)),
        .init("§4.1", "one of many", [upgrade, (.connection, "keep-alive ,\tUpgrade"), accept], .success(nothing)),
        .init("§4.1", "in another line", [upgrade, (.connection, "x"), connection, accept], .success(nothing)),
    ]

    static let accepts: [HandshakeVector] = [
        .init("§4.1", "no Accept", [upgrade, connection], .failure(.missingAccept)),
        .init("§4.1", "an empty Accept", [upgrade, connection, (.secWebSocketAccept, "")], .failure(.wrongAccept)),
        .init(
            "§4.1",
            "the key itself",
            [upgrade, connection, (.secWebSocketAccept, "dGhlIHNhbXBsZSBub25jZQ==")],
            .failure(.wrongAccept)
        ),
        .init(
            "§4.1",
            "another case",
            [upgrade, connection, (.secWebSocketAccept, "S3pPLMBiTxaQ9kYGzzhZRbK+xOo=")],
            .failure(.wrongAccept)
        ),
        .init(
            "§4.1",
            "no padding",
            [upgrade, connection, (.secWebSocketAccept, "s3pPLMBiTxaQ9kYGzzhZRbK+xOo")],
            .failure(.wrongAccept)
        ),
        .init(
            "§4.1",
            "blanks around it",
            [upgrade, connection, (.secWebSocketAccept, " \ts3pPLMBiTxaQ9kYGzzhZRbK+xOo=  ")],
            .success(nothing)
        ),
        .init("§11.3.3", "twice", good + [accept], .failure(.repeatedAccept)),
    ]

    static let subprotocols: [HandshakeVector] = [
        .init("§4.1", "none chosen", offering: ["a"], good, .success(nothing)),
        .init(
            "§4.1",
            "the second",
            offering: ["a", "b"],
            good + [(.secWebSocketProtocol, "b")],
            .success(.init(subprotocol: "b"))
        ),
        .init(
            "§4.1",
            "blanks",
            offering: ["a"],
            good + [(.secWebSocketProtocol, " a ")],
            .success(.init(subprotocol: "a"))
        ),
        .init("§4.1", "none offered", good + [(.secWebSocketProtocol, "a")], .failure(.unknownSubprotocol)),
        .init("§4.1", "another", offering: ["a"], good + [(.secWebSocketProtocol, "b")], .failure(.unknownSubprotocol)),
        .init(
            "§4.1",
            "another case",
            offering: ["a"],
            good + [(.secWebSocketProtocol, "A")],
            .failure(.unknownSubprotocol)
        ),
        .init(
            "§4.1",
            "an empty one",
            offering: ["a"],
            good + [(.secWebSocketProtocol, "")],
            .failure(.unknownSubprotocol)
        ),
        .init(
            "§4.1",
            "a list",
            offering: ["a", "b"],
            good + [(.secWebSocketProtocol, "a, b")],
            .failure(.unknownSubprotocol)
        ),
        .init(
            "§11.3.4",
            "twice",
            offering: ["a"],
            good + [(.secWebSocketProtocol, "a"), (.secWebSocketProtocol, "a")],
            .failure(.repeatedSubprotocol)
        ),
    ]

    /// Returns a vector for a malformed list of extensions, which begins with an extension that the client offered.
    private static func malformed(_ rule: String, _ value: String) -> HandshakeVector {
        .init("§9.1", rule, compressing: .init(), extensions(value), .failure(.malformedExtensions))
    }

    private static func unknown(
        _ rule: String,
        _ value: String,
        offering offer: PerMessageDeflate.Offer? = .init()
    ) -> HandshakeVector {
        .init("§4.1", rule, compressing: offer, extensions(value), .failure(.unknownExtension))
    }

    private static func extensions(_ value: String) -> [(HTTPField.Name, String)] {
        good + [(.secWebSocketExtensions, value)]
    }

    static let extensionLists: [HandshakeVector] = [
        unknown("none offered", "permessage-deflate", offering: nil),
        unknown("another", "x-webkit-deflate-frame"),
        unknown("another case", "Permessage-Deflate"),
        unknown("one too many", "permessage-deflate, foo"),
        malformed("an empty field", ""),
        malformed("only commas", " , ,"),
        malformed("an empty parameter", "permessage-deflate;"),
        malformed("two words", "permessage-deflate x"),
        malformed("an empty value", "permessage-deflate; a="),
        malformed("empty quotes", "permessage-deflate; a=\"\""),
        malformed("open quotes", "permessage-deflate; a=\"b"),
        malformed("no token", "permessage-deflate; a=\"b c\""),
        malformed("more behind quotes", "permessage-deflate; a=\"b\"c"),
        .init("§4.1", "none chosen", compressing: .init(), good, .success(nothing)),
        .init(
            "§9.1",
            "empty elements",
            compressing: .init(),
            extensions(", permessage-deflate,, "),
            .success(.init(deflate: .init()))
        ),
    ]

    @Test(arguments: switches)
    func `the connection is switched, or there is no WebSocket`(_ vector: HandshakeVector) throws { try vector.check() }

    @Test(arguments: accepts)
    func `the answer proves that it is to this request`(_ vector: HandshakeVector) throws { try vector.check() }

    @Test(arguments: subprotocols)
    func `a subprotocol is one of those offered`(_ vector: HandshakeVector) throws { try vector.check() }

    @Test(arguments: extensionLists)
    func `extensions are among those offered`(_ vector: HandshakeVector) throws { try vector.check() }
}
