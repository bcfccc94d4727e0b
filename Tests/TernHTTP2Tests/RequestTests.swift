// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Testing

@testable import TernHTTP2

@Suite("RFC 9113 §8.2 and §8.3: requests")
struct RequestTests {
    private static func lines(
        of head: HTTP2RequestHead,
        endsStream: Bool = true,
        settings: [(SettingIdentifier, UInt32)] = []
    ) throws -> [String] {
        var peer = ScriptedPeer(settings: settings)
        _ = try peer.machine.openStream(head, endsStream: endsStream)
        let frames = peer.takeFrames()
        #expect(frames.count == 1)
        #expect(frames.first?.header.flags == (endsStream ? [.endHeaders, .endStream] : .endHeaders))
        return try peer.lines(of: frames.first)
    }

    private static func head(
        _ method: HTTPRequest.Method = .get,
        path: String = "/a?b",
        fields: HTTPFields = [:]
    ) -> HTTP2RequestHead {
        HTTP2RequestHead(method: method, scheme: "https", authority: "example.com", path: path, fields: fields)
    }

    private static let pseudo = [":method:GET", ":scheme:https", ":path:/a?b", ":authority:example.com"]

    @Test
    func `pseudo-fields come first, names are in lower case`() throws {
        let lines = try Self.lines(of: Self.head(fields: [.accept: "text/html", .userAgent: "Value"]))
        #expect(lines == Self.pseudo + ["accept:text/html", "user-agent:Value"])
    }

    @Test
    func `fields that speak of the connection are left out, and TE says trailers alone`() throws {
        var fields = HTTPFields()
        for (name, value) in [
            ("Connection", "keep-alive, TE"), ("Keep-Alive", "timeout=5"), ("Proxy-Connection", "close"),
            ("Upgrade", "h2c"), ("HTTP2-Settings", "AAA"), ("TE", "gzip, Trailers"), ("Accept", "*/*"),
        ] {
            if let name = HTTPField.Name(name) { fields.append(HTTPField(name: name, value: value)) }
        }
        #expect(try Self.lines(of: Self.head(fields: fields)) == Self.pseudo + ["te:trailers", "accept:*/*"])
        #expect(try Self.lines(of: Self.head(fields: [.te: "gzip"])) == Self.pseudo)
    }

    @Test
    func `a Host becomes the authority`() throws {
        let host = try #require(HTTPField.Name("Host"))
        let lines = try Self.lines(of: Self.head(fields: [host: "other.example:8443"]))
        #expect(lines == Array(Self.pseudo.dropLast()) + [":authority:other.example:8443"])
    }

    @Test
    func `§8.2.3 cookies come in crumbs`() throws {
        var fields: HTTPFields = [.cookie: "a=1; session=abcdefghijklmnopqrstuvwxyz; c;d; "]
        fields.append(HTTPField(name: .cookie, value: "e=2"))
        let lines = try Self.lines(of: Self.head(fields: fields))
        #expect(
            lines.dropFirst(4) == [
                "cookie:a=1", "cookie:session=abcdefghijklmnopqrstuvwxyz", "cookie:c;d;", "cookie:e=2",
            ]
        )
    }

    @Test
    func `what is secret is never indexed`() {
        var fields: HTTPFields = [.authorization: "Bearer abc", .cookie: "a=1", .accept: "*/*"]
        var marked = HTTPField(name: .userAgent, value: "secret")
        marked.indexingStrategy = .disallow
        fields.append(marked)
        var peer = ScriptedPeer()
        for _ in 0..<2 { peer.open(fields: fields) }
        let (first, second) = (peer.takeFrames()[0].payload, peer.takeFrames())
        #expect(second.isEmpty)
        // The bits 0001, then the index of the name: 23 for authorization, 32 for cookie, 58 for user-agent.
        for index in [23, 32, 58] as [UInt8] { #expect(first.contains(0x1F) && first.contains(index - 15)) }
        var encoder = HPACKEncoder()
        var output: [UInt8] = []
        Self.head(fields: fields).encode(endsStream: true, with: &encoder, into: &output)
        let repeated = output.count
        output = []
        Self.head(fields: fields).encode(endsStream: true, with: &encoder, into: &output)
        #expect(output.count < repeated)
        #expect(output.filter { $0 == 0x1F }.count >= 3)
    }

    @Test
    func `lengths of bodies`() throws {
        #expect(try Self.lines(of: Self.head(.post)).last == "content-length:0")
        #expect(try Self.lines(of: Self.head(.get)).last == ":authority:example.com")
        #expect(try Self.lines(of: Self.head(.post), endsStream: false).last == ":authority:example.com")
        var head = Self.head(.put)
        (head.bodyByteCount, head.expectsContinue) = (1234, true)
        #expect(
            try Self.lines(of: head, endsStream: false).suffix(2) == ["content-length:1234", "expect:100-continue"]
        )
        #expect(try Self.lines(of: head, endsStream: true).last == "content-length:1234")
    }

    @Test
    func `§8.5 CONNECT, and RFC 8441 §4`() throws {
        var head = Self.head(.connect)
        head.authority = "example.com:443"
        #expect(try Self.lines(of: head, endsStream: false) == [":method:CONNECT", ":authority:example.com:443"])
        head.protocolName = "websocket"
        #expect(throws: HTTP2RequestError.extendedConnectUnavailable) { try Self.lines(of: head, endsStream: false) }
        let lines = try Self.lines(of: head, endsStream: false, settings: [(.enableConnectProtocol, 1)])
        #expect(
            lines == [
                ":method:CONNECT", ":scheme:https", ":path:/a?b", ":authority:example.com:443", ":protocol:websocket",
            ]
        )
        head.method = .get
        #expect(throws: HTTP2RequestError.invalidMethod) { try head.validate() }
    }

    @Test
    func `heads that no server takes are refused before anything is written`() throws {
        func check(_ error: HTTP2RequestError, _ change: (inout HTTP2RequestHead) -> Void) {
            var (peer, head) = (ScriptedPeer(), Self.head())
            change(&head)
            #expect(throws: error) { try peer.machine.openStream(head, endsStream: true) }
            #expect(peer.takeFrames().isEmpty)
            #expect(peer.machine.activeStreamCount == 0)
            #expect(!error.section.isEmpty && !error.description.isEmpty)
        }
        let host = try #require(HTTPField.Name("Host"))
        check(.invalidPath) { $0.path = "" }
        check(.invalidPath) { $0.path = "a" }
        check(.invalidPath) { $0.path = "**" }
        check(.invalidPath) { $0.path = "/a b" }
        check(.invalidPath) { $0.path = "/a#b" }
        check(.invalidPath) { $0.path = "/\u{E4}" }
        check(.invalidPath) { $0.path = "/a\n" }
        check(.invalidScheme) { $0.scheme = "" }
        check(.invalidAuthority) { $0.authority = "user@example.com" }
        check(.invalidAuthority) { $0.authority = "a b" }
        check(.invalidAuthority) { ($0.method, $0.authority) = (.connect, "") }
        check(.negativeBodyLength) { $0.bodyByteCount = -1 }
        check(.framingField) { $0.fields[.contentLength] = "1" }
        check(.framingField) { $0.fields[.transferEncoding] = "chunked" }
        check(.repeatedHost) {
            $0.fields.append(HTTPField(name: host, value: "a"))
            $0.fields.append(HTTPField(name: host, value: "b"))
        }
        check(.invalidAuthority) { $0.fields[host] = "a b" }
    }

    @Test
    func `§10.5.1 the server's limit of field lists is respected`() {
        var peer = ScriptedPeer(settings: [(.maximumHeaderListSize, 1000)])
        let head = Self.head(fields: [.userAgent: String(repeating: "x", count: 1000)])
        #expect(throws: HTTP2RequestError.fieldListTooLong(limit: 1000)) {
            try peer.machine.openStream(head, endsStream: true)
        }
        #expect(peer.open() == 1)
    }

    @Test(arguments: ["a=1", "a=1; b=2", Array(repeating: "a=1", count: 200).joined(separator: "; "), ";;; ; ;"])
    func `§10.5.1 the length that is compared with the limit is no less than that of the list`(_ cookies: String) throws
    {
        let head = Self.head(fields: [.cookie: cookies, .accept: "*/*"])
        let byteCount = try Self.lines(of: head).reduce(0) { $0 + $1.utf8.count - 1 + 32 }
        #expect(head.listByteCountUpperBound >= byteCount)
    }

    @Test
    func `a head that is longer than a frame is continued`() throws {
        var peer = ScriptedPeer()
        peer.open(fields: [.userAgent: String(repeating: "~", count: 40_000)])
        let frames = peer.takeFrames()
        #expect(frames.map(\.type) == [.headers, .continuation, .continuation])
        #expect(frames.map(\.header.flags) == [.endStream, [], .endHeaders])
        var whole = frames[0]
        whole.payload = frames.flatMap(\.payload)
        #expect(try peer.lines(of: whole).count == 5)
    }

    @Test
    func `§5.1.1 identifiers are odd, grow, and run out`() {
        var peer = ScriptedPeer()
        #expect([peer.open(), peer.open(), peer.open()] == [1, 3, 5])
        peer.machine.nextStream = .highest
        #expect(peer.open() == .highest)
        #expect(peer.machine.isGoingAway)
        #expect(peer.open() == .connection)
    }

    @Test
    func `trailers end a request; without any that may be sent, empty DATA does`() throws {
        var peer = ScriptedPeer()
        let (first, second) = (peer.open(.post, endsStream: false), peer.open(.post, endsStream: false))
        _ = peer.takeFrames()
        let checksum = try #require(HTTPField.Name("X-Checksum"))
        let isFirstSent = peer.machine.sendTrailers([checksum: "1", .connection: "close"], on: first)
        let isSecondSent = peer.machine.sendTrailers([.connection: "close"], on: second)
        #expect(isFirstSent && isSecondSent)
        let frames = peer.takeFrames()
        #expect(frames.map(\.type) == [.headers, .data])
        #expect(frames.map(\.header.flags) == [[.endHeaders, .endStream], .endStream])
        #expect(peer.machine.sendableByteCount(on: first) == 0)
        #expect(peer.machine.streamState(first).state == .halfClosedLocal)
        let (isSentAgain, isDataSent) = (
            peer.machine.sendTrailers([checksum: "1"], on: first),
            peer.machine.encodeDataHeader(on: first, byteCount: 0, endsStream: true)
        )
        #expect(!isSentAgain && !isDataSent)
        #expect(peer.takeFrames().isEmpty)
    }

    @Test
    func `RFC 9218 §7.1: priorities are updated while a stream is open`() {
        var peer = ScriptedPeer()
        let stream = peer.open()
        _ = peer.takeFrames()
        peer.machine.updatePriority(of: stream, "u=1, i")
        peer.machine.updatePriority(of: 99, "u=1")
        #expect(peer.takeFrames().map(\.payload) == [[0, 0, 0, 1] + Array("u=1, i".utf8)])
    }
}
