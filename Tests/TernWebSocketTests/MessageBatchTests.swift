// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import DequeModule
import Foundation
import NIOCore
import TernTesting
import TernWebSocketCore
import TestSupport
import Testing

@testable import TernWebSocket

@Suite("Many messages in one read", .hangLimit)
struct MessageBatchTests {
    /// "Hello" twice, with and without the example's shared window (RFC 7692 §7.2.3.2).
    private static let hellos: [UInt8] = [
        0xC1, 0x07, 0xF2, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00, 0xC1, 0x05, 0xF2, 0x00, 0x11, 0x00, 0x00,
    ]
    private static let plain: [UInt8] = [0x81, 1, 0x61, 0x82, 2, 1, 2]
    private static let ping: [UInt8] = [0x89, 0]

    /// The state of a reader that decodes one batch.
    private struct Decoding: ~Copyable {
        var batch = MessageBatch()
        var decoder = WebSocketDecoder(deflate: PerMessageDeflate.Agreement())
        /// The bytes that the decoder left in the output.
        var outputByteCount = 0

        mutating func decode(
            _ bytes: [UInt8],
            room: Int = 64,
            takesMessages: Bool = true
        ) throws(WebSocketViolation) -> MessageBatch.Progress {
            let storage = UnsafeMutableRawBufferPointer.allocate(byteCount: room, alignment: 1)
            defer { storage.deallocate() }
            var output = OutputRawSpan(buffer: storage, initializedCount: 0)
            let result: Result<MessageBatch.Progress, WebSocketViolation>
            do throws(WebSocketViolation) {
                let input = ByteBuffer(bytes: bytes)
                result = .success(
                    try self.batch
                        .decode(input, by: &self.decoder, inflatingInto: &output, takesMessages: takesMessages)
                )
            } catch {
                result = .failure(error)
            }
            self.outputByteCount = output.finalize(for: storage)
            return try result.get()
        }

        var messages: [WebSocketMessage?] {
            self.batch.items.map { if case .message(let message) = $0 { message } else { nil } }
        }
    }

    @Test func `all whole messages are taken, up to the first step of another kind`() throws {
        var decoding = Decoding()
        let progress = try decoding.decode(Self.plain + Self.hellos + Self.plain + Self.ping + Self.plain)
        let messages: [WebSocketMessage] = [
            .text("a"), .binary(Data([1, 2])), .text("Hello"), .text("Hello"), .text("a"), .binary(Data([1, 2])),
        ]
        let taken = decoding.messages
        #expect(taken == messages)
        #expect(progress.consumedByteCount == 2 * Self.plain.count + Self.hellos.count)
        #expect(progress.step?.event == .ping(2..<2))
        #expect(progress.wasCompressed == false)
        #expect(decoding.outputByteCount == 0)
    }

    @Test func `without room, a compressed message is not taken`() throws {
        var decoding = Decoding()
        let progress = try decoding.decode(Self.plain + Self.hellos, room: 0)
        #expect(decoding.messages.count == 2)
        #expect(progress.consumedByteCount == Self.plain.count)
        #expect(progress.step?.needsOutput == true)
    }

    @Test func `a taken message leaves its room to the next one`() throws {
        var decoding = Decoding()
        let progress = try decoding.decode(Self.hellos, room: 8)
        let taken = decoding.messages
        #expect(taken == [.text("Hello"), .text("Hello")])
        #expect(progress.wasCompressed == true)
        #expect(decoding.outputByteCount == 0)
    }

    @Test func `a compressed message that does not fit comes in parts`() throws {
        var decoding = Decoding()
        let progress = try decoding.decode(Self.hellos, room: 3)
        #expect(decoding.messages.isEmpty)
        #expect(progress.step?.event == .inflated(.text, byteCount: 3, isFinal: false))
        #expect(decoding.outputByteCount == 3)
    }

    @Test func `for parts, each step is returned`() throws {
        var decoding = Decoding()
        let progress = try decoding.decode(Self.plain, takesMessages: false)
        #expect(decoding.messages.isEmpty)
        #expect(progress.consumedByteCount == 0)
        #expect(progress.step?.event == .message(.text, 2..<3))
        #expect(progress.wasCompressed == nil)
    }

    @Test func `a full batch ends the decoding`() throws {
        var decoding = Decoding()
        let frame: [UInt8] = [0x82, 126, 0xFF, 0xFF] + [UInt8](repeating: 0, count: 0xFFFF)
        let progress = try decoding.decode(Array(repeatElement(frame, count: 6).joined()))
        #expect(decoding.messages.count == 4)
        #expect(decoding.batch.isFull)
        #expect(progress.consumedByteCount == 4 * frame.count)
        #expect(progress.step == nil)
    }

    @Test func `the messages before a violation are kept`() throws {
        var decoding = Decoding()
        var violation: WebSocketViolation?
        do throws(WebSocketViolation) {
            _ = try decoding.decode(Self.plain + [0x83, 0])
        } catch {
            violation = error
        }
        #expect(violation?.section == "RFC 6455 §5.2")
        #expect(decoding.messages.count == 2)
    }

    @Test func `the messages do not depend on how the bytes are split`() async throws {
        let fragments: [UInt8] = [
            0x01, 1, 0x62, 0x80, 1, 0x63, 0x41, 3, 0xF2, 0x48, 0xCD, 0x80, 4, 0xC9, 0xC9, 0x07, 0x00,
        ]
        let bytes = Self.plain + Self.hellos + fragments + Self.ping + Self.plain + [0x88, 0]
        let expected: [WebSocketMessage] = [
            .text("a"), .binary(Data([1, 2])), .text("Hello"), .text("Hello"), .text("bc"), .text("Hello"),
            .text("a"), .binary(Data([1, 2])),
        ]
        for split in everySplit(of: bytes) {
            let scene = Scene(deflate: PerMessageDeflate.Agreement()) { server in
                for piece in split { try await server.connection.write(Array(piece)) }
                while try await server.receive() != nil {}
            }
            let socket = try await scene.open()
            let (messages, error) = await socket.collect()
            #expect(error == nil)
            #expect(messages == expected, "in pieces of \(split.map(\.count))")
        }
    }
}
