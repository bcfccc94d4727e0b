// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import TernErrors
import TernTesting
import TernWebSocket
import TernWebSocketCore
import TestSupport
import Testing

@Suite("A server that breaks a rule", .hangLimit)
struct ViolationTests {
    /// Bytes of a server, the section of the rule that they break, and the close code of the client's answer.
    struct Fault: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let bytes: [UInt8]
        let section: String
        let code: CloseCode

        init(_ name: String, _ bytes: [UInt8], _ section: String, _ code: CloseCode = .protocolError) {
            (self.testDescription, self.bytes, self.section, self.code) = (name, bytes, section, code)
        }
    }

    static let faults: [Fault] = [
        Fault("a masked frame", [0x81, 0x81, 1, 2, 3, 4, 5], "RFC 6455 §5.1"),
        Fault("a reserved bit", [0xA1, 0], "RFC 6455 §5.2"),
        Fault("RSV1 without an agreement", [0xC1, 0], "RFC 6455 §5.2"),
        Fault("an unknown opcode", [0x83, 0], "RFC 6455 §5.2"),
        Fault("a control frame in fragments", [0x09, 0], "RFC 6455 §5.5"),
        Fault("a long control frame", [0x89, 126, 0, 126], "RFC 6455 §5.5"),
        Fault("a continuation of nothing", [0x80, 0], "RFC 6455 §5.4"),
        Fault("a message within another", [0x01, 0, 0x81, 0], "RFC 6455 §5.4"),
        Fault("bad text", [0x81, 1, 0xFF], "RFC 6455 §8.1", .invalidPayloadData),
        Fault("bad text in a later fragment", [0x01, 1, 0xC3, 0x80, 1, 0x28], "RFC 6455 §8.1", .invalidPayloadData),
        Fault("text that ends within a character", [0x81, 1, 0xC3], "RFC 6455 §8.1", .invalidPayloadData),
        Fault("half a close code", [0x88, 1, 3], "RFC 6455 §5.5.1"),
        Fault("a close code that is none", [0x88, 2, 0x03, 0xEE], "RFC 6455 §7.4"),
    ]

    @Test(arguments: faults)
    func `is told so, and the sequence throws`(fault: Fault) async throws {
        let answers = Journal<ServerWebSocket.Frame>()
        let scene = Scene { server in
            try await server.send(.text("before"))
            try await server.connection.write(fault.bytes)
            while let frame = try await server.receive() { answers.note(frame) }
        }
        let socket = try await scene.open()
        let (messages, error) = await socket.collect()
        #expect(messages == [.text("before")])
        guard case .protocolViolation(let section, _, _)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(section == fault.section)
        #expect(await answers.wait(for: 1).map(\.closeCode) == [fault.code])
        await #expect(throws: ClientError.self) { try await socket.send("x") }
        try await scene.clock.waitForScheduled(in: .seconds(5))
        scene.clock.advance(by: .seconds(5))
        try await scene.connector.waitForOpen(0)
    }

    @Test(arguments: [8, 9, 1000])
    func `a message past the limit is refused with 1009`(byteCount: Int) async throws {
        let answers = Journal<ServerWebSocket.Frame>()
        let scene = Scene(options: WebSocketOptions(maximumMessageByteCount: 8)) { server in
            try await server.send(.binary, payload: Array(repeating: 7, count: byteCount))
            while let frame = try await server.receive() { answers.note(frame) }
        }
        let socket = try await scene.open()
        if byteCount == 8 {
            var iterator = socket.makeAsyncIterator()
            #expect(try await iterator.next()?.byteCount == 8)
            return
        }
        guard case .messageTooLarge(limit: 8, _)? = await socket.collect().error else {
            Issue.record("no error")
            return
        }
        #expect(await answers.wait(for: 1).map(\.closeCode) == [.messageTooBig])
    }

    @Test(arguments: [-1, Int.min])
    func `a negative limit counts as 0`(limit: Int) async throws {
        let scene = Scene(
            options: WebSocketOptions(maximumMessageByteCount: limit),
            deflate: PerMessageDeflate.Agreement()
        ) { server in
            // "Hello", compressed (RFC 7692 §7.2.3.1).
            let payload: [UInt8] = [0xF2, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00]
            try await server.send(.text, isCompressed: true, payload: payload)
            await server.connection.waitForEnd()
        }
        guard case .messageTooLarge(limit: 0, _)? = await (try await scene.open()).collect().error else {
            Issue.record("no error")
            return
        }
    }

    @Test func `many fragments together are limited like one`() async throws {
        let answers = Journal<ServerWebSocket.Frame>()
        let scene = Scene(options: WebSocketOptions(maximumMessageByteCount: 8)) { server in
            try await server.send(.binary, isFinal: false, payload: [1, 2, 3, 4, 5])
            try await server.send(.continuation, isFinal: false, payload: [1, 2, 3, 4])
            while let frame = try await server.receive() { answers.note(frame) }
        }
        guard case .messageTooLarge(limit: 8, _)? = await (try await scene.open()).collect().error else {
            Issue.record("no error")
            return
        }
        #expect(await answers.wait(for: 1).map(\.closeCode) == [.messageTooBig])
    }

    @Test func `a server that floods after it was told is closed on`() async throws {
        let scene = Scene(capacity: 1024) { server in
            try await server.connection.write([0x83, 0])
            while true { try await server.send(.text("more and more and more")) }
        }
        let socket = try await scene.open()
        #expect(await socket.collect().error != nil)
        try await scene.clock.waitForScheduled(in: .seconds(5))
        scene.clock.advance(by: .seconds(5))
        try await scene.connector.waitForOpen(0)
        try await scene.connector.waitForServers()
    }
}
