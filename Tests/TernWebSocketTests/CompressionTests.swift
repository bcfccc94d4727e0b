// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Foundation
import TernCompression
import TernErrors
import TernTesting
import TernWebSocket
import TernWebSocketCore
import TestSupport
import Testing

/// The server's side of permessage-deflate, for whole messages.
private actor ServerCompression {
    private var deflater: MessageDeflater
    private var decoder: WebSocketDecoder
    private let reverse: PerMessageDeflate.Agreement

    /// Creates the server's side of an agreement, in which client and server are exchanged.
    init(_ agreement: PerMessageDeflate.Agreement) {
        self.reverse = PerMessageDeflate.Agreement(
            serverNoContextTakeover: agreement.clientNoContextTakeover,
            clientNoContextTakeover: agreement.serverNoContextTakeover,
            serverWindowBits: agreement.clientWindowBits,
            clientWindowBits: agreement.serverWindowBits
        )
        self.deflater = MessageDeflater(self.reverse)
        self.decoder = WebSocketDecoder(deflate: self.reverse)
    }

    func deflate(_ payload: [UInt8]) throws -> [UInt8] {
        let capacity = payload.count + 1024
        var result: Result<Bool, CompressionError>?
        let bytes = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
            var output = OutputRawSpan(buffer: UnsafeMutableRawBufferPointer(buffer), initializedCount: 0)
            result = Result { () throws(CompressionError) in
                try self.deflater.compress(ContiguousArray(payload).span.bytes, isFinal: true, into: &output).isComplete
            }
            count = output.finalize(for: UnsafeMutableRawBufferPointer(buffer))
        }
        #expect(try result?.get() == true)
        return bytes
    }

    /// Inflates a frame of the client.
    ///
    /// The method passes the frame to a decoder like a frame of a server.
    func inflate(_ frame: ServerWebSocket.Frame) throws -> [UInt8] {
        var header: [UInt8] = [0xC2, 127]
        header += (0..<8).map { UInt8(truncatingIfNeeded: frame.payload.count >> (56 - 8 * $0)) }
        // RFC 6455 requires the shortest form of the length.
        switch frame.payload.count {
        case ...125: header = [0xC2, UInt8(frame.payload.count)]
        case ...0xFFFF: header = [0xC2, 126, UInt8(frame.payload.count >> 8), UInt8(frame.payload.count & 255)]
        default: break
        }
        var input = (header + frame.payload)[...]
        var output: [UInt8] = []
        var isFinal = false
        while !isFinal {
            output += [UInt8](unsafeUninitializedCapacity: 4096) { buffer, count in
                var span = OutputRawSpan(buffer: UnsafeMutableRawBufferPointer(buffer), initializedCount: 0)
                guard let step = try? self.decoder.next(input.span.bytes, inflatingInto: &span) else {
                    return isFinal = true
                }
                input = input.dropFirst(step.consumedByteCount)
                if case .inflated(_, _, true)? = step.event { isFinal = true }
                count = span.finalize(for: UnsafeMutableRawBufferPointer(buffer))
            }
        }
        return output
    }
}

@Suite("Compression", .hangLimit)
struct CompressionTests {
    static let agreements: [PerMessageDeflate.Agreement] =
        [8, 9, 12, 15].flatMap { bits in
            [true, false].map { noContext in
                PerMessageDeflate.Agreement(
                    serverNoContextTakeover: noContext,
                    clientNoContextTakeover: noContext,
                    serverWindowBits: max(9, bits),
                    clientWindowBits: bits
                )
            }
        }

    /// Returns an echo server that inflates and deflates messages.
    private static func echo(
        _ agreement: PerMessageDeflate.Agreement,
        _ journal: Journal<ServerWebSocket.Frame>
    ) -> Scene.Server {
        { server in
            let compression = ServerCompression(agreement)
            while let frame = try await server.receive() {
                journal.note(frame)
                guard frame.opcode != .close else { return try await server.sendClose(.normalClosure) }
                let plain = frame.isCompressed ? try await compression.inflate(frame) : frame.payload
                let answer = try await compression.deflate(plain)
                try await server.send(frame.opcode, isCompressed: true, payload: answer)
            }
        }
    }

    @Test(arguments: agreements)
    func `messages come back, in any mixture of compressed and plain`(
        agreement: PerMessageDeflate.Agreement
    ) async throws {
        let journal = Journal<ServerWebSocket.Frame>()
        let scene = Scene(deflate: agreement, server: Self.echo(agreement, journal))
        let socket = try await scene.open()
        var iterator = socket.makeAsyncIterator()
        let messages: [(WebSocketMessage, MessageCompression)] = [
            (.text(""), .always), (.text("hello hello hello"), .always), (.text("hello hello hello"), .always),
            (.text("plain"), .never), (.text(String(repeating: "{\"größe\": 12345}, ", count: 5000)), .automatic),
            (.binary(Data((0..<70_000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 3) })), .always),
            (.binary(Data()), .automatic), (.text("hello hello hello"), .always),
        ]
        for (message, compression) in messages {
            try await socket.send(message, compression: compression)
            try await expectEqual(iterator.next(), message)
        }
        await socket.close()
        let frames = journal.all
        #expect(frames.map(\.isCompressed) == [true, true, true, false, true, true, false, true, false])
        // The smallest window hardly shrinks these messages, so the following checks do not apply to it.
        guard agreement.clientWindowBits > 8 else { return }
        #expect(frames[4].payload.count < 20_000, "it shrinks")
        let repeats = frames[2].payload.count
        #expect(
            agreement.clientNoContextTakeover ? repeats == frames[1].payload.count : repeats < frames[1].payload.count
        )
    }

    @Test func `what does not shrink is soon sent as it is`() async throws {
        let journal = Journal<ServerWebSocket.Frame>()
        let scene = Scene(deflate: PerMessageDeflate.Agreement()) { server in
            while let frame = try await server.receive() { journal.note(frame) }
        }
        let socket = try await scene.open()
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<30 {
            try await socket.send(.binary(Data((0..<500).map { _ in UInt8.random(in: 0...255, using: &generator) })))
        }
        let frames = await journal.wait(for: 30)
        #expect(frames[0].isCompressed)
        #expect(!frames[29].isCompressed)
    }

    @Test func `without an agreement nothing is compressed`() async throws {
        let journal = Journal<ServerWebSocket.Frame>()
        let scene = Scene { server in while let frame = try await server.receive() { journal.note(frame) } }
        let socket = try await scene.open()
        try await socket.send("hello hello hello", compression: .always)
        #expect(await journal.wait(for: 1) == [.init(.text, payload: Array("hello hello hello".utf8))])
    }

    @Test func `a message that inflates past the limit is refused with 1009`() async throws {
        let answers = Journal<ServerWebSocket.Frame>()
        let agreement = PerMessageDeflate.Agreement()
        let scene = Scene(options: WebSocketOptions(maximumMessageByteCount: 1 << 20), deflate: agreement) { server in
            let bomb = try await ServerCompression(agreement).deflate([UInt8](repeating: 0, count: (1 << 20) + 1))
            try await server.send(.binary, isCompressed: true, payload: bomb)
            while let frame = try await server.receive() { answers.note(frame) }
        }
        let socket = try await scene.open()
        guard case .messageTooLarge(limit: 1_048_576, _)? = await socket.collect().error else {
            Issue.record("no error")
            return
        }
        #expect(await answers.wait(for: 1).map(\.closeCode) == [.messageTooBig])
    }

    @Test func `a compressed frame that is too long is refused with the limit of messages`() async throws {
        let scene = Scene(
            options: WebSocketOptions(maximumMessageByteCount: 1000),
            deflate: PerMessageDeflate.Agreement()
        ) { server in
            try await server.send(.binary, isCompressed: true, payload: Array(repeating: 7, count: 2000))
            while try await server.receive() != nil {}
        }
        guard case .messageTooLarge(limit: 1000, _)? = await (try await scene.open()).collect().error else {
            Issue.record("no error")
            return
        }
    }

    @Test func `data that is not deflate is a violation`() async throws {
        let scene = Scene(deflate: PerMessageDeflate.Agreement()) { server in
            try await server.send(.text, isCompressed: true, payload: [0xFF, 0xFF, 0xFF])
            await server.connection.waitForEnd()
        }
        guard case .protocolViolation? = await (try await scene.open()).collect().error else {
            Issue.record("no error")
            return
        }
    }

    @Test func `a message in parts is compressed as one`() async throws {
        let journal = Journal<ServerWebSocket.Frame>()
        let agreement = PerMessageDeflate.Agreement()
        let scene = Scene(deflate: agreement) { server in
            while let frame = try await server.receive() { journal.note(frame) }
        }
        let socket = try await scene.open()
        let pieces = AsyncStream<Data> { feed in
            for _ in 0..<3 { feed.yield(Data("hello hello ".utf8)) }
            feed.finish()
        }
        try await socket.send(.text, pieces: pieces)
        try await socket.send("end", compression: .never)
        try await eventually("the end arrives") { journal.all.last?.text == "end" }
        let frames = journal.all.dropLast()
        #expect(frames.first?.isCompressed == true)
        #expect(frames.dropFirst().allSatisfy { !$0.isCompressed && $0.opcode == .continuation })
        #expect(frames.last?.isFinal == true)
        let whole = ServerWebSocket.Frame(.text, isCompressed: true, payload: frames.flatMap(\.payload))
        let plain = try await ServerCompression(agreement).inflate(whole)
        #expect(String(decoding: plain, as: UTF8.self) == "hello hello hello hello hello hello ")
    }
}
