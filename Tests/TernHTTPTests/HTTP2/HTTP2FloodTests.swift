// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import TernConnections
import TernErrors
import TernHTTP
import TernTesting
import TernTransport
import TestSupport
import Testing

/// The clock of these connections stands still, so that the budgets grow only with responses.
@Suite("HTTP/2: servers that flood the client", .hangLimit)
struct HTTP2FloodTests {
    private static let flood = Fault.protocolViolation("RFC 9113 §10.5")

    /// The frames that the client sent after an attack began.
    private struct Reaction: Sendable {
        var goAwayCode: Int?
        var resetCodes: [Int] = []
        var frameCount = 0
        /// The bytes of all fields and all content.
        var contentByteCount = 0

        mutating func note(_ frame: HTTP2Frame) {
            self.frameCount += 1
            switch frame {
            case .goAway(_, let code): self.goAwayCode = code
            case .reset(_, let code): self.resetCodes.append(code)
            case .data(_, let bytes, _): self.contentByteCount += bytes.count
            default: break
            }
        }
    }

    /// Reads to the end of the connection.
    private static func reaction(of peer: HTTP2Peer) async -> Reaction {
        var reaction = Reaction()
        while let frame = try? await peer.nextFrame(isAnswered: false) { reaction.note(frame) }
        return reaction
    }

    /// Checks that the client said why it closes, and sent at most one frame for each frame of the server.
    private static func check(_ reactions: Journal<Reaction>, of attack: HTTP2Attack) async {
        let reaction = await reactions.wait(for: 1).first
        #expect(reaction?.goAwayCode == attack.goAwayCode)
        #expect(reaction?.contentByteCount == 0)
        #expect(reaction.map { $0.frameCount <= attack.frames.count + 1 } == true)
    }

    @Test(arguments: HTTP2Attack.floods + HTTP2Attack.compression)
    func `the connection ends with the calls on it, and calls go on`(attack: HTTP2Attack) async throws {
        let reactions = Journal<Reaction>()
        let scene = Scene.http2 { peer in
            try await peer.handshake()
            guard peer.number == 1 else {
                return try await peer.serve { request in try await peer.respond(to: request, "second") }
            }
            _ = try await peer.nextRequest()
            try? await peer.send(attack.frames)
            reactions.note(await Self.reaction(of: peer))
        }
        #expect(await scene.failure()?.fault == .protocolViolation(attack.section))
        await Self.check(reactions, of: attack)
        #expect(try await scene.answer() == Answer(text: "second"))
        try await scene.expectSettled(idle: 1)
    }

    @Test(arguments: HTTP2Attack.onClosedStream)
    func `a flood for a closed stream ends the connection, and calls go on`(attack: HTTP2Attack) async throws {
        let reactions = Journal<Reaction>()
        let scene = Scene.http2 { peer in
            try await peer.handshake()
            guard peer.number == 1, let first = try await peer.nextRequest() else {
                return try await peer.serve { request in try await peer.respond(to: request, "second") }
            }
            try await peer.respond(to: first, "first")
            _ = try await peer.nextRequest()
            try? await peer.send(attack.frames)
            reactions.note(await Self.reaction(of: peer))
        }
        #expect(try await scene.answer().text == "first")
        #expect(await scene.failure()?.fault == .protocolViolation(attack.section))
        await Self.check(reactions, of: attack)
        #expect(try await scene.answer() == Answer(text: "second"))
        try await scene.expectSettled(idle: 1)
    }

    @Test(arguments: HTTP2Attack.longLists)
    func `a list of fields that is too long ends the stream, and the connection serves other calls`(
        attack: HTTP2Attack
    ) async throws {
        let resets = Journal<Int>()
        let scene = Scene.http2 { peer in
            try await peer.handshake()
            _ = try await peer.nextRequest()
            try await peer.send(attack.frames)
            try await peer.serve(noting: resets) { request in try await peer.respond(to: request, "next") }
        }
        #expect(await scene.failure()?.fault == .protocolViolation(attack.section))
        #expect(await resets.wait(for: 1) == [HTTP2Code.enhanceYourCalm])
        #expect(try await scene.answer() == Answer(text: "next", isReused: true))
        try await scene.expectSettled(idle: 1)
    }

    /// CVE-2023-44487 and CVE-2025-8671, with the roles exchanged.
    @Test(
        arguments: [
            (isReset: true, fault: .connectionLost(.streamReset(code: 8)), limit: 1000, resetCodes: []),
            (
                isReset: false, fault: .protocolViolation("RFC 9113 §8.3.2"), limit: 200,
                resetCodes: Array(repeating: HTTP2Code.protocolError, count: 200)
            ),
        ] as [(isReset: Bool, fault: Fault, limit: Int, resetCodes: [Int])]
    )
    func `stream after stream ends until the limit, and then the connection`(
        _ attack: (isReset: Bool, fault: Fault, limit: Int, resetCodes: [Int])
    ) async throws {
        let reactions = Journal<Reaction>()
        let scene = Scene.http2 { peer in
            try await peer.handshake()
            guard peer.number == 1 else {
                return try await peer.serve { request in try await peer.respond(to: request, "second") }
            }
            var reaction = Reaction()
            while let frame = try? await peer.nextFrame(isAnswered: false) {
                guard case .headers(let request) = frame else {
                    reaction.note(frame)
                    continue
                }
                let malformed = HTTP2Output.headers(request.stream, [("a", "b")], endsStream: true)
                try? await peer.send(attack.isReset ? .reset(request.stream, HTTP2Code.cancel) : malformed)
            }
            reactions.note(reaction)
        }
        for number in 1...attack.limit {
            let fault = await scene.failure()?.fault
            try #require(fault == attack.fault, "call \(number)")
        }
        #expect(await scene.failure()?.fault == Self.flood)
        let reaction = await reactions.wait(for: 1).first
        #expect(reaction?.goAwayCode == HTTP2Code.enhanceYourCalm)
        #expect(reaction?.resetCodes == attack.resetCodes)
        #expect(try await scene.answer() == Answer(text: "second"))
        try await scene.expectSettled(idle: 1)
    }
}

extension HTTP2Attack {
    /// The error code of the client's GOAWAY: ENHANCE_YOUR_CALM for an attack on its resources, and COMPRESSION_ERROR
    /// for a field block that it cannot decode.
    fileprivate var goAwayCode: Int { self.section.hasPrefix("RFC 7541") ? 9 : HTTP2Code.enhanceYourCalm }
}
