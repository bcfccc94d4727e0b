// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import TestSupport
import Testing

@testable import TernHTTP2

@Suite("RFC 9113 §3.4 and §6.5: preface and settings")
struct SettingsTests {
    @Test
    func `the preface, then SETTINGS and the window of the connection`() {
        var machine = HTTP2ConnectionStateMachine()
        #expect(machine.output.starts(with: Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)))
        let frames = WrittenFrame.all(in: Array(machine.takeOutput().dropFirst(24)))
        #expect(frames.map(\.type) == [.settings, .windowUpdate])
        #expect(frames[0].payload == hex("0002 00000000  0004 00100000  0006 00040000  0009 00000001"))
        #expect(frames[1].number == (2 << 20) - 65_535)
        #expect(machine.output.isEmpty)
        var limits = HTTP2Limits()
        limits.decoderTableByteCount = 0
        let other = HTTP2ConnectionStateMachine(limits: limits)
        #expect(other.output.dropFirst(24 + 9).prefix(6) == hex("0001 00000000")[...])
    }

    @Test
    func `streams may be opened before the server's settings, a hundred of them`() {
        var peer = ScriptedPeer(settings: nil)
        #expect(peer.machine.availableStreamCount == 100)
        for _ in 0..<100 { peer.open() }
        #expect(peer.open() == .connection)
        peer.send(Frames.settings())
        #expect(peer.effects == [.settingsChanged])
        #expect(peer.open() == 201)
        #expect(peer.takeFrames().last { $0.type == .settings }?.header.flags == .acknowledgement)
    }

    @Test(arguments: [
        Frames.ping(), Frames.settingsAcknowledgement, Frames.windowUpdate(0, 1), Frames.goAway(0),
        Frames.data(1, [1]), Frames.frame(FrameType(rawValue: 0xBB)), Frames.headers(1, [0x88]),
        Frames.frame(.priority, [], 1, [0, 0, 0, 0, 0]),
    ])
    func `the first frame is SETTINGS`(bytes: [UInt8]) {
        var peer = ScriptedPeer(settings: nil)
        peer.open()
        peer.send(bytes)
        #expect(peer.failure == .missingSettings)
    }

    @Test(arguments: ["HTTP/1.1 400 Bad Request\r\n\r\n", "HTTP/1.0 505 V\r\n\r\n<html>"])
    func `a server that speaks HTTP/1.1 is noticed at once`(answer: String) {
        for split in everySplit(of: Array(answer.utf8)) {
            var peer = ScriptedPeer(settings: nil)
            for piece in split { peer.send(Array(piece)) }
            #expect(peer.failure == .answerInHTTP1)
            #expect(peer.takeFrames().last?.type == .goAway)
        }
    }

    @Test(arguments: ["HTTP/2.0 400 Bad Request", "HTTQ/1.1 400", "http/1.1 400 Bad Request"])
    func `other text is a frame that is too long`(answer: String) {
        var peer = ScriptedPeer(settings: nil)
        peer.send(Array(answer.utf8))
        #expect(peer.failure == .frameTooLong)
    }

    @Test(
        arguments: [
            (.enablePush, 1, .invalidSetting(.enablePush)), (.enablePush, 2, .invalidSetting(.enablePush)),
            (.initialWindowSize, 1 << 31, .initialWindowTooLarge),
            (.maximumFrameSize, 16_383, .invalidSetting(.maximumFrameSize)),
            (.maximumFrameSize, 1 << 24, .invalidSetting(.maximumFrameSize)),
            (.enableConnectProtocol, 2, .invalidSetting(.enableConnectProtocol)),
            (.noRFC7540Priorities, 2, .invalidSetting(.noRFC7540Priorities)),
        ] as [(SettingIdentifier, UInt32, HTTP2Violation)]
    )
    func `values that are invalid`(identifier: SettingIdentifier, value: UInt32, violation: HTTP2Violation) {
        var peer = ScriptedPeer(settings: nil)
        peer.send(Frames.settings([(identifier, value)]))
        #expect(peer.failure == violation)
        let isTooLarge = violation == .initialWindowTooLarge
        #expect(peer.takeFrames().last?.code == (isTooLarge ? .flowControlError : .protocolError))
    }

    @Test
    func `values that are valid, unknown identifiers included`() {
        let peer = ScriptedPeer(settings: [
            (.headerTableSize, 100), (.enablePush, 0), (.maximumConcurrentStreams, 7), (.initialWindowSize, 5),
            (.maximumFrameSize, 20_000), (.maximumHeaderListSize, 9000), (.enableConnectProtocol, 1),
            (.noRFC7540Priorities, 1), (SettingIdentifier(rawValue: 0xF0F0), .max),
        ])
        let settings = peer.machine.peerSettings
        #expect(settings.headerTableByteCount == 100)
        #expect(settings.maximumConcurrentStreams == 7)
        #expect(settings.initialWindowByteCount == 5)
        #expect(settings.maximumFrameByteCount == 20_000)
        #expect(settings.maximumFieldListByteCount == 9000)
        #expect(settings.offersExtendedConnect)
        #expect(settings.ignoresRFC7540Priorities == true)
        #expect(peer.failure == nil)
        #expect(peer.machine.availableStreamCount == 7)
    }

    @Test
    func `RFC 8441 §3 and RFC 9218 §2.1: what was offered is not taken back`() {
        for (identifier, first, second) in [
            (.enableConnectProtocol, 1, 0), (.noRFC7540Priorities, 1, 0), (.noRFC7540Priorities, 0, 1),
        ] as [(SettingIdentifier, UInt32, UInt32)] {
            var peer = ScriptedPeer(settings: [(identifier, first)])
            peer.send(Frames.settings([(identifier, second)]))
            #expect(peer.failure == .invalidSetting(identifier))
        }
    }

    @Test
    func `the limit of streams may change at any time`() {
        var peer = ScriptedPeer(settings: [(.maximumConcurrentStreams, 2)])
        let first = peer.open()
        peer.open()
        #expect(peer.machine.availableStreamCount == 0)
        peer.send(Frames.settings([(.maximumConcurrentStreams, 1)]))
        #expect(peer.machine.availableStreamCount == 0)
        peer.send(peer.headers(first, endsStream: true))
        #expect(peer.machine.availableStreamCount == 0)
        peer.send(Frames.settings([(.maximumConcurrentStreams, 3)]))
        #expect(peer.machine.availableStreamCount == 2)
        #expect(peer.machine.activeStreamCount == 1)
    }

    @Test
    func `the smallest size of the table within one frame is signaled, too`() throws {
        var peer = ScriptedPeer(settings: [(.headerTableSize, 0), (.headerTableSize, 200)])
        peer.open()
        let frame = peer.takeFrames().first
        #expect(frame?.payload.starts(with: hex("20 3f a9 01")) == true)
        #expect(try peer.lines(of: frame).first == ":method:GET")
    }

    @Test
    func `an acknowledgement of SETTINGS that were never sent is an error`() {
        var peer = ScriptedPeer()
        peer.send(Frames.settingsAcknowledgement)
        #expect(peer.failure == .unexpectedAcknowledgement)
    }

    @Test
    func `PING is answered with what it holds, and answers are reported`() {
        var peer = ScriptedPeer()
        peer.send(Frames.ping(0x0123_4567_89AB_CDEF))
        #expect(peer.takeFrames().map(\.payload) == [hex("0123456789abcdef")])
        peer.machine.ping(77)
        #expect(peer.takeFrames() == WrittenFrame.all(in: Frames.ping(77)))
        peer.send(Frames.ping(77, isAnswer: true))
        #expect(peer.effects == [.pingAnswered(77)])
        #expect(peer.takeFrames().isEmpty)
    }
}
