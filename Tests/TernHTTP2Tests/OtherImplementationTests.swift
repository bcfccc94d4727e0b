// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import TernFields
import TestSupport
import Testing

@testable import TernHTTP2

/// A recorded conversation with another implementation: the bytes that each side wrote, and what the other side
/// understood.
///
/// The server is h2 4.4 for Python (MIT licence). It parsed the recorded requests, and sent the recorded answers.
@Suite("HTTP/2 with another implementation")
struct OtherImplementationTests {
    private static let request = hex(
        """
        505249202a20485454502f322e300d0a0d0a534d0d0a0d0a000018040000000000000200000000000400100000000600
        040000000900000001000004080000000000001f000100002a010500000001828704042f613f6241882f91d35d055c87
        a753032a2f2a1f11821c011f1103623d321f0885ba34188a7900000f0104000000038387048562dae838e4bfbe0f0d01
        3300000300000000000301020300000c0105000000034088f2b127293aa2da7f013600000a1000000000000000000175
        3d312c206900000806000000000000000000000000070000160104000000054207434f4e4e454354418b2f91d35d055c
        87a6e34d33000004030000000005000000080000080700000000000000000000000000
        """
    )

    private static let response = hex(
        """
        00002a04000000000000010000100000020000000000040000ffff000500004000000800000000000300000064000600
        0100000000000401000000000000080601000000000000000000000007000011010400000001488208196d8bfff8c213
        ea82ae4423feff0000170104000000018876829c5f5f87497ca58ae819aa5c82087f77831c11ff00000c000800000001
        0568656c6c6f20000000000000000601040000000348821003c2c1000005000100000001776f726c6400000806000000
        00003132333435363738000004080000000000000003e80000020000000000036f6b00000c0105000000034088f2b127
        293aa2da7f811700000b0700000000000000000300000000627965
        """
    )

    private static func started() throws -> ScriptedPeer {
        var peer = ScriptedPeer(settings: nil)
        func head(_ method: HTTPRequest.Method, _ path: String, _ fields: HTTPFields) -> HTTP2RequestHead {
            HTTP2RequestHead(method: method, scheme: "https", authority: "example.com", path: path, fields: fields)
        }
        let fields: HTTPFields = [.accept: "*/*", .cookie: "a=1; b=2", .authorization: "Basic x"]
        let first = try peer.machine.openStream(head(.get, "/a?b", fields), endsStream: true)
        var upload = head(.post, "/upload", [.accept: "*/*"])
        upload.bodyByteCount = 3
        let second = try peer.machine.openStream(upload, endsStream: false)
        _ = peer.machine.encodeDataHeader(on: second, byteCount: 3, endsStream: false)
        peer.machine.output += [1, 2, 3]
        let checksum = try #require(HTTPField.Name("X-Checksum"))
        _ = peer.machine.sendTrailers([checksum: "6"], on: second)
        peer.machine.updatePriority(of: first, "u=1, i")
        peer.machine.ping(7)
        var tunnel = head(.connect, "/", [:])
        tunnel.authority = "example.com:443"
        peer.machine.reset(try peer.machine.openStream(tunnel, endsStream: false))
        return peer
    }

    @Test
    func `requests are what it understood`() throws {
        var peer = try Self.started()
        peer.machine.goAway()
        #expect(peer.machine.takeOutput() == Self.request)
    }

    @Test
    func `its responses are understood, however they are split`() throws {
        for split in everySplit(of: Self.response) {
            var (peer, content) = (try Self.started(), [HTTP2StreamID: [UInt8]]())
            var (statusCodes, trailers, ends, pings): ([Int], [String?], [HTTP2StreamID], [UInt64]) = ([], [], [], [])
            for piece in split {
                let input = Array(piece)
                peer.send(input)
                for effect in peer.takeEffects() {
                    switch effect {
                    case .interim(_, let head), .head(_, let head): statusCodes.append(head.statusCode)
                    case .data(let stream, let range): content[stream, default: []] += input[range]
                    case .trailers(_, let section): trailers.append(section.makeHTTPFields().first?.value)
                    case .end(let stream): ends.append(stream)
                    case .pingAnswered(let opaque): pings.append(opaque)
                    case .goingAway(let last, let code, let debugData):
                        #expect(last == 3 && code == .noError && debugData == Array("bye".utf8))
                    case .settingsChanged, .windowOpened, .connectionWindowOpened: break
                    case .failed, .requestStopped, .connectionFailed: Issue.record("\(effect)")
                    }
                }
            }
            #expect(statusCodes == [103, 200, 201])
            #expect(content == [1: Array("hello world".utf8), 3: Array("ok".utf8)])
            #expect(trailers == ["2"])
            #expect(ends == [1, 3])
            #expect(pings == [7])
        }
    }
}
