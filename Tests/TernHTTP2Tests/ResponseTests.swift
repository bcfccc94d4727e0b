// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
@_spi(CrossModuleInlining) import TernFields
import Testing

@_spi(CrossModuleInlining) @testable import TernHTTP2

@Suite("RFC 9113 §8.1 to §8.6: responses")
struct ResponseTests {
    typealias Fields = [(String, String)]

    private static let ok: Fields = [(":status", "200")]

    @Test
    func `head, content, trailers and end`() {
        var peer = ScriptedPeer()
        let stream = peer.open()
        peer.send(
            peer.headers(stream, Self.ok + [("content-type", "text/plain"), ("location", "/x"), ("set-cookie", "a=b")])
        )
        guard case .head(stream, let head)? = peer.takeEffects().first else { return #expect(Bool(false)) }
        #expect(head.statusCode == 200)
        #expect(head.status.code == 200)
        #expect(head.fields.makeHTTPFields() == [.contentType: "text/plain", .location: "/x", .setCookie: "a=b"])
        #expect(head.noticedFields == [.location, .setCookie])
        #expect(head.contentLength == nil)
        peer.send(Frames.data(stream, Array("hello".utf8)))
        #expect(peer.takeEffects() == [.data(stream, 9..<14)])
        peer.send(peer.headers(stream, [("x-checksum", "1"), ("content-type", "none")], endsStream: true))
        guard case .trailers(stream, let trailers)? = peer.effects.first else { return #expect(Bool(false)) }
        #expect(trailers.makeHTTPFields().map(\.name.canonicalName) == ["x-checksum"])
        #expect(peer.effects.dropFirst() == [.end(stream)])
        #expect(peer.machine.activeStreamCount == 0)
    }

    @Test
    func `§8.2.1 white space around values is trimmed`() {
        var peer = ScriptedPeer()
        peer.send(peer.headers(peer.open(), Self.ok + [("x", " a b\t"), ("y", ""), ("z", " ")]))
        guard case .head(_, let head)? = peer.effects.first else { return #expect(Bool(false)) }
        #expect(head.fields.makeHTTPFields().map(\.value) == ["a b", "", ""])
    }

    @Test
    func `a response without content ends with its head`() {
        var peer = ScriptedPeer()
        let stream = peer.open()
        peer.send(peer.headers(stream, endsStream: true))
        #expect(peer.effects.last == .end(stream))
        #expect(peer.effects.count == 2)
        #expect(peer.machine.streams.ids.isEmpty)
        #expect(peer.takeFrames().map(\.type) == [.headers])
    }

    @Test
    func `interim responses come before the final one, up to the limit`() {
        var peer = ScriptedPeer()
        let stream = peer.open()
        for _ in 0..<32 { peer.send(peer.headers(stream, [(":status", "103"), ("link", "</a>")])) }
        #expect(peer.effects.count == 32)
        guard case .interim(stream, let head)? = peer.effects.first else { return #expect(Bool(false)) }
        #expect(head.statusCode == 103)
        peer.send(peer.headers(stream, [(":status", "102")]))
        #expect(peer.failure(of: stream) == .tooManyInterims(limit: 32))
        #expect(peer.takeFrames().last?.code == .enhanceYourCalm)
    }

    @Test(
        arguments: [
            ([[("server", "x")]], .missingStatus), ([[]], .missingStatus), ([[(":status", "099")]], .invalidStatus),
            ([[(":status", "20")]], .invalidStatus), ([[(":status", "2000")]], .invalidStatus),
            ([[(":status", "abc")]], .invalidStatus), ([[(":status", "")]], .invalidStatus),
            ([ok + ok], .repeatedPseudoField), ([[("a", "b")] + ok], .misplacedPseudoField),
            ([ok + [(":path", "/")]], .unknownPseudoField), ([[(":method", "GET")]], .unknownPseudoField),
            ([ok + [(":unknown", "")]], .unknownPseudoField), ([ok + [("Server", "x")]], .invalidFieldName),
            ([ok + [("a b", "x")]], .invalidFieldName), ([ok + [("", "x")]], .invalidFieldName),
            ([ok + [("a", "b\r\nc")]], .invalidFieldValue), ([ok + [("a", "b\0")]], .invalidFieldValue),
            ([ok + [("connection", "close")]], .connectionSpecificField),
            ([ok + [("transfer-encoding", "chunked")]], .connectionSpecificField),
            ([ok + [("keep-alive", "1")]], .connectionSpecificField),
            ([ok + [("proxy-connection", "close")]], .connectionSpecificField),
            ([ok + [("upgrade", "h2c")]], .connectionSpecificField), ([[(":status", "101")]], .unexpectedUpgrade),
            ([ok, [("a", "b")]], .trailersWithoutEnd), ([ok, ok], .pseudoFieldInTrailers),
            ([ok + [("content-length", "x")]], .invalidContentLength),
            ([ok + [("content-length", "1, 1")]], .invalidContentLength),
            ([ok + [("content-length", "1"), ("content-length", "2")]], .invalidContentLength),
        ] as [([Fields], HTTP2Violation)]
    )
    func `responses that are malformed reset their stream`(blocks: [Fields], violation: HTTP2Violation) {
        var peer = ScriptedPeer()
        let (stream, other) = (peer.open(), peer.open())
        _ = peer.takeFrames()
        for block in blocks { peer.send(peer.headers(stream, block)) }
        #expect(peer.failure(of: stream) == violation)
        #expect(violation.scope == .stream)
        #expect(violation.code == .protocolError)
        let frames = peer.takeFrames()
        #expect(frames.map(\.type) == [.reset])
        #expect(frames.first?.code == .protocolError)
        // The client ignores late frames, and its table is still the server's.
        peer.effects = []
        peer.send(peer.headers(stream, [("x", "y")], endsStream: true) + Frames.data(stream, [1]))
        peer.send(peer.headers(other, Self.ok + [("x", "y")], endsStream: true))
        #expect(peer.effects.last == .end(other))
        #expect(peer.effects.count == 2)
        #expect(peer.takeFrames().isEmpty)
    }

    @Test
    func `an interim response does not end a stream, and data does not begin it`() {
        var peer = ScriptedPeer()
        let (first, second, third) = (peer.open(), peer.open(), peer.open())
        peer.send(peer.headers(first, [(":status", "103")], endsStream: true))
        #expect(peer.failure(of: first) == .endedByInterim)
        peer.send(Frames.data(second, [1]))
        #expect(peer.failure(of: second) == .dataBeforeHead)
        peer.send(peer.headers(third, [(":status", "103")]) + Frames.data(third, [1]))
        #expect(peer.failure(of: third) == .dataBeforeHead)
        #expect(peer.machine.activeStreamCount == 0)
    }

    @Test
    func `a pseudo-field in trailers is malformed`() {
        var peer = ScriptedPeer()
        let stream = peer.open()
        peer.send(peer.headers(stream) + peer.headers(stream, [(":path", "/")], endsStream: true))
        #expect(peer.failure(of: stream) == .pseudoFieldInTrailers)
    }

    @Test(
        arguments: [
            (HTTPRequest.Method.get, "200", "5", 5, nil), (.get, "200", "5", 4, .wrongContentLength),
            (.get, "200", "5", 6, .wrongContentLength), (.get, "200", "0", 0, nil),
            (.get, "200", "1", 0, .wrongContentLength),
            (.head, "200", "5", 0, nil), (.head, "200", "5", 5, .unexpectedContent), (.get, "304", "5", 0, nil),
            (.get, "304", "5", 1, .unexpectedContent), (.get, "204", nil, 0, nil),
            (.get, "204", nil, 1, .unexpectedContent),
            (.get, "200", nil, 7, nil), (.connect, "200", "1", 7, nil), (.connect, "500", "1", 7, .wrongContentLength),
        ] as [(HTTPRequest.Method, String, String?, Int, HTTP2Violation?)]
    )
    func `§8.1.1 content has the length that was announced`(
        method: HTTPRequest.Method,
        status: String,
        length: String?,
        byteCount: Int,
        violation: HTTP2Violation?
    ) {
        let fields = [(":status", status)] + (length.map { [("content-length", $0)] } ?? [])
        for ending in 0..<3 {
            // The stream ends with the last content, with empty data, or with trailers, which a tunnel does not have.
            if ending == 2, method == .connect { continue }
            var peer = ScriptedPeer()
            let stream = peer.open(method)
            let isAtOnce = byteCount == 0 && ending == 0
            peer.send(peer.headers(stream, fields, endsStream: isAtOnce))
            let content = [UInt8](repeating: 1, count: byteCount)
            if !isAtOnce { peer.send(Frames.data(stream, content, endsStream: ending == 0)) }
            if ending == 1 { peer.send(Frames.data(stream, [], endsStream: true)) }
            if ending == 2 { peer.send(peer.headers(stream, [("a", "b")], endsStream: true)) }
            #expect(peer.failure(of: stream) == violation, "ending \(ending)")
            #expect(peer.effects.contains(.end(stream)) == (violation == nil))
        }
    }

    @Test
    func `§8.5 a tunnel takes data alone`() {
        var peer = ScriptedPeer(settings: [(.enableConnectProtocol, 1)])
        let stream = peer.open(.connect, endsStream: false)
        peer.send(peer.headers(stream, Self.ok + [("content-length", "3")]) + Frames.data(stream, [1, 2, 3, 4]))
        #expect(peer.failure(of: stream) == nil)
        peer.send(peer.headers(stream, [("a", "b")], endsStream: true))
        #expect(peer.failure(of: stream) == .fieldsInTunnel)
    }

    @Test
    func `a response may be complete before the request is`() {
        var peer = ScriptedPeer()
        let stream = peer.open(.post, endsStream: false)
        peer.send(peer.headers(stream, endsStream: true))
        #expect(peer.effects.last == .end(stream))
        #expect(peer.machine.activeStreamCount == 1)
        #expect(peer.machine.sendableByteCount(on: stream) > 0)
        peer.effects = []
        peer.send(Frames.reset(stream, .noError))
        #expect(peer.effects == [.requestStopped(stream, .noError)])
        #expect(peer.machine.activeStreamCount == 0)
        #expect(peer.machine.sendableByteCount(on: stream) == 0)
    }

    @Test
    func `§5.1 data behind the end of a response`() {
        var peer = ScriptedPeer()
        let (open, done) = (peer.open(.post, endsStream: false), peer.open())
        peer.send(peer.headers(open, endsStream: true) + peer.headers(done, endsStream: true))
        _ = peer.takeFrames()
        peer.effects = []
        peer.send(Frames.data(open, [1]))
        #expect(peer.effects == [.requestStopped(open, .streamClosed)])
        peer.send(Frames.data(done, [1]) + peer.headers(done))
        let frames = peer.takeFrames()
        #expect(frames.map(\.type) == [.reset, .reset, .reset])
        #expect(frames.allSatisfy { $0.code == .streamClosed })
        #expect(peer.failure == nil)
    }

    @Test
    func `more fields than allowed reset their stream`() {
        var limits = HTTP2Limits()
        limits.maximumFieldCount = 3
        var peer = ScriptedPeer(limits: limits)
        let (first, second) = (peer.open(), peer.open())
        peer.send(peer.headers(first, Self.ok + (0..<4).map { ("name-\($0)", "value") }))
        #expect(peer.failure(of: first) == .tooManyFields(limit: 3))
        peer.send(peer.headers(second, Self.ok + (0..<3).map { ("name-\($0)", "value") }))
        guard case .head(second, _)? = peer.effects.last else { return #expect(Bool(false)) }
    }

    @Test
    func `no limit lets in more fields than HTTPFields can hold`() {
        var limits = HTTP2Limits()
        limits.maximumFieldCount = .max
        #expect(HTTP2ConnectionStateMachine(limits: limits).limits.maximumFieldCount == 65_534)
        limits.maximumFieldCount = 3
        #expect(HTTP2ConnectionStateMachine(limits: limits).limits.maximumFieldCount == 3)
    }

    @Test
    func `a field list over the limit resets its stream and keeps the table`() {
        var limits = HTTP2Limits()
        (limits.maximumFieldListByteCount, limits.maximumDecodedFieldListByteCount) = (1000, 4000)
        var peer = ScriptedPeer(limits: limits)
        let (first, second, third) = (peer.open(), peer.open(), peer.open())
        let long: Fields = Self.ok + (0..<30).map { ("name-\($0)", "value") }
        peer.send(peer.headers(first, long))
        #expect(peer.failure(of: first) == .fieldListTooLong(limit: 1000))
        peer.send(peer.headers(second, Self.ok + [("name-19", "value")]))
        guard case .head(second, let head)? = peer.effects.last else { return #expect(Bool(false)) }
        #expect(head.fields.makeHTTPFields().first?.value == "value")
        peer.send(peer.headers(third, long + long + long + long + long + long))
        #expect(peer.failure == .fieldListOverDecodingLimit(limit: 4000))
        #expect(peer.takeFrames().last?.code == .enhanceYourCalm)
    }
}
