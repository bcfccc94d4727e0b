// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import TernWebSocketCore
import TestSupport
import Testing

/// A server's answer to a handshake whose key is that of RFC 6455 §1.3, and what must come of it.
struct HandshakeVector: CustomTestStringConvertible, Sendable {
    typealias Outcome = Result<AcceptedHandshake, HandshakeViolation>

    var testDescription: String
    var status = 101
    var subprotocols: [String] = []
    var deflate: PerMessageDeflate.Offer?
    var fields: [(HTTPField.Name, String)]
    var expected: Outcome

    /// The fields that every good answer has.
    static let good: [(HTTPField.Name, String)] = [
        (.upgrade, "websocket"), (.connection, "Upgrade"), (.secWebSocketAccept, "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="),
    ]

    init(
        _ section: String,
        _ rule: String,
        status: Int = 101,
        offering subprotocols: [String] = [],
        compressing deflate: PerMessageDeflate.Offer? = nil,
        _ fields: [(HTTPField.Name, String)],
        _ expected: Outcome
    ) {
        self.testDescription = "\(section) \(rule)"
        (self.status, self.subprotocols, self.deflate) = (status, subprotocols, deflate)
        (self.fields, self.expected) = (fields, expected)
    }

    func check(sourceLocation: SourceLocation = #_sourceLocation) throws {
        var nonce = SampleNonce()
        let handshake = try ClientHandshake(subprotocols: self.subprotocols, deflate: self.deflate, using: &nonce)
        var fields = HTTPFields()
        for (name, value) in self.fields { fields.append(HTTPField(name: name, value: value)) }
        let outcome = Outcome { () throws(HandshakeViolation) in
            try handshake.check(status: self.status, fields: fields)
        }
        #expect(outcome == self.expected, sourceLocation: sourceLocation)
    }

    private struct SampleNonce: RandomNumberGenerator {
        private var bytes = Array("the sample nonce".utf8)[...]

        mutating func next() -> UInt64 {
            defer { self.bytes = self.bytes.dropFirst(8) }
            return self.bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
        }
    }
}

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

    private static func extensions(_ values: String...) -> [(HTTPField.Name, String)] {
        good + values.map { (.secWebSocketExtensions, $0) }
    }

    static let extensionLists: [HandshakeVector] = [
        .init("§4.1", "none offered", extensions("permessage-deflate"), .failure(.unknownExtension)),
        .init("§4.1", "another", compressing: .init(), extensions("x-webkit-deflate-frame"), .failure(.unknownExtension)),
        .init("§4.1", "another case", compressing: .init(), extensions("Permessage-Deflate"), .failure(.unknownExtension)),
        .init("§4.1", "one too many", compressing: .init(), extensions("permessage-deflate, foo"), .failure(.unknownExtension)),
        .init("§4.1", "none chosen", compressing: .init(), good, .success(nothing)),
        .init("§9.1", "an empty field", compressing: .init(), extensions(""), .failure(.malformedExtensions)),
        .init("§9.1", "only commas", compressing: .init(), extensions(" , ,"), .failure(.malformedExtensions)),
        .init("§9.1", "an empty parameter", compressing: .init(), extensions("permessage-deflate;"), .failure(.malformedExtensions)),
        .init("§9.1", "two words", compressing: .init(), extensions("permessage-deflate x"), .failure(.malformedExtensions)),
        .init("§9.1", "an empty value", compressing: .init(), extensions("permessage-deflate; a="), .failure(.malformedExtensions)),
        .init(
            "§9.1",
            "empty quotes",
            compressing: .init(),
            extensions("permessage-deflate; a=\"\""),
            .failure(.malformedExtensions)
        ),
        .init("§9.1", "open quotes", compressing: .init(), extensions("permessage-deflate; a=\"b"), .failure(.malformedExtensions)),
        .init("§9.1", "no token", compressing: .init(), extensions("permessage-deflate; a=\"b c\""), .failure(.malformedExtensions)),
        .init(
            "§9.1",
            "behind quotes",
            compressing: .init(),
            extensions("permessage-deflate; a=\"b\"c"),
            .failure(.malformedExtensions)
        ),
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
