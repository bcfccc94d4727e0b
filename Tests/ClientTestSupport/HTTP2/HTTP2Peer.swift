// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TernConnections
import TernHTTP2
package import TernTesting

/// The server's end of a connection that uses HTTP/2: reads the client's frames, and writes what a test wants.
///
/// One task reads at a time; any number may write.
package final class HTTP2Peer: Sendable {
    private struct State: Sendable {
        var input: [UInt8] = []
        var start = 0
        var decoder = HPACKDecoder()
        /// Frames that were read while another one was awaited.
        var pending: [HTTP2Frame] = []

        mutating func take(_ count: Int) -> [UInt8]? {
            guard self.input.count - self.start >= count else { return nil }
            let bytes = Array(self.input[self.start..<self.start + count])
            self.start += count
            if self.start == self.input.count { (self.input, self.start) = ([], 0) }
            return bytes
        }

        mutating func takePending(_ matches: (HTTP2Frame) -> Bool) -> HTTP2Frame? {
            guard let index = self.pending.firstIndex(where: matches) else { return nil }
            return self.pending.remove(at: index)
        }

        mutating func decode(_ block: [UInt8]) throws -> [HTTP2Line] {
            var lines = FieldLines(maximumByteCount: 1 << 20, largestByteCount: 1 << 21)
            try self.decoder.decode(block.span.bytes, into: &lines)
            return lines.contents.split(separator: UInt8(ascii: "\n")).map { HTTP2Line(text: $0) }
        }
    }

    /// The preface of a client (RFC 9113 §3.4).
    package static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)

    package let connection: ServerConnection
    private let state = Mutex(State())

    package init(_ connection: ServerConnection) { self.connection = connection }

    /// The number of the connection, from 1.
    package var number: Int { self.connection.number }

    // MARK: Reading

    /// Exchanges the prefaces, and waits until the client has acknowledged the settings.
    package func handshake(settings: [HTTP2Setting] = []) async throws {
        guard try await self.readPreface() else { return }
        try await self.send(.settings(settings))
        _ = try await self.wait { $0 == .settingsAck }
    }

    /// Reads the 24 bytes of the client's preface; `false` if the client has ended its side.
    package func readPreface() async throws -> Bool {
        guard let bytes = try await self.read(Self.preface.count) else { return false }
        guard bytes == Self.preface else { throw ScriptedServerError.malformedRequest("the preface of HTTP/2") }
        return true
    }

    /// The next frame, answered if that is asked and it is SETTINGS or PING; `nil` if the client has ended its side.
    package func nextFrame(isAnswered: Bool = true) async throws -> HTTP2Frame? {
        if let frame = self.state.withLock({ $0.takePending { _ in true } }) { return frame }
        return try await self.receive(isAnswered: isAnswered)
    }

    /// The next frame that a condition holds for; those before it are kept for later.
    package func wait(for matches: (HTTP2Frame) -> Bool) async throws -> HTTP2Frame? {
        if let frame = self.state.withLock({ $0.takePending(matches) }) { return frame }
        while let frame = try await self.receive(isAnswered: true) {
            if matches(frame) { return frame }
            self.state.withLock { $0.pending.append(frame) }
        }
        return nil
    }

    /// The next request; frames before it are dropped.
    package func nextRequest() async throws -> HTTP2Headers? {
        while let frame = try await self.nextFrame() {
            if case .headers(let headers) = frame, headers.isRequest { return headers }
        }
        return nil
    }

    /// The first request, to which and before which nothing is sent, not even the server's preface.
    package func readEarlyRequest() async throws -> HTTP2Headers? {
        guard try await self.readPreface() else { return nil }
        while let frame = try await self.nextFrame(isAnswered: false) {
            if case .headers(let headers) = frame { return headers }
        }
        return nil
    }

    /// Passes each request to a closure, and notes the code of each RST_STREAM, until the client ends the connection.
    package func serve(noting resets: Journal<Int>? = nil, _ answer: (HTTP2Headers) async throws -> Void) async throws {
        while let frame = try await self.nextFrame() {
            switch frame {
            case .headers(let headers) where headers.isRequest: try await answer(headers)
            case .reset(_, let code): resets?.note(code)
            default: break
            }
        }
    }

    /// The content of a request, and the trailers; the windows are opened for all of it.
    package func content(of request: HTTP2Headers) async throws -> HTTP2Content {
        var content = HTTP2Content()
        if request.endsStream { return content }
        while let frame = try await self.wait(for: { $0.isPart(of: request.stream) }) {
            switch frame {
            case .data(_, let bytes, let endsStream):
                content.bytes += bytes
                if bytes.count > 0 { try await self.send(.windowUpdate(0, bytes.count)) }
                if endsStream { return content }
                if bytes.count > 0 { try await self.send(.windowUpdate(request.stream, bytes.count)) }
            case .headers(let headers):
                content.trailers = headers.lines
                return content
            default: return content  // the client has reset the stream
            }
        }
        return content
    }

    /// Waits until the client has handled everything that was sent before.
    ///
    /// The second answer comes from a later turn of the client's reader, so that the first turn is over.
    package func roundTrip() async throws {
        for mark in [1, 2] as [UInt64] {
            try await self.send(.ping(mark))
            _ = try await self.wait { $0 == .pingAck(mark) }
        }
    }

    private func receive(isAnswered: Bool) async throws -> HTTP2Frame? {
        guard let frame = try await self.readFrame() else { return nil }
        guard isAnswered else { return frame }
        switch frame {
        case .settings: try await self.send(.settingsAck)
        case .ping(let opaque): try await self.send(.ping(opaque, isAnswer: true))
        default: break
        }
        return frame
    }

    private func readFrame() async throws -> HTTP2Frame? {
        guard let raw = try await self.readRaw() else { return nil }
        guard raw.type == 1 else { return HTTP2Frame(raw) }
        var block = raw.payload
        var last = raw
        while last.flags & 0x4 == 0 {
            guard let next = try await self.readRaw() else { return nil }
            guard next.type == 9 else { throw ScriptedServerError.malformedRequest("a field block") }
            block += next.payload
            last = next
        }
        let lines = try self.state.withLock { state in try state.decode(block) }
        return .headers(HTTP2Headers(stream: raw.stream, lines: lines, endsStream: raw.flags & 0x1 != 0))
    }

    private func readRaw() async throws -> HTTP2RawFrame? {
        guard let header = try await self.read(9) else { return nil }
        var frame = HTTP2RawFrame(header: header)
        guard let payload = try await self.read(frame.length) else { return nil }
        frame.payload = payload
        return frame
    }

    private func read(_ count: Int) async throws -> [UInt8]? {
        while true {
            if let bytes = self.state.withLock({ $0.take(count) }) { return bytes }
            guard let more = try await self.connection.read() else { return nil }
            self.state.withLock { $0.input += more }
        }
    }

    // MARK: Writing

    /// Sends frames in one piece.
    package func send(_ frames: HTTP2Output...) async throws { try await self.send(frames) }

    /// Sends frames in one piece.
    package func send(_ frames: [HTTP2Output]) async throws {
        var bytes: [UInt8] = []
        for frame in frames { bytes += frame.bytes }
        try await self.connection.write(bytes)
    }

    /// Sends a whole response in one piece.
    package func respond(
        to request: HTTP2Headers,
        _ text: String = "",
        status: Int = 200,
        fields: [(String, String)] = []
    ) async throws {
        let head = [(":status", "\(status)")] + fields
        var frames = [HTTP2Output.headers(request.stream, head, endsStream: text.isEmpty)]
        if !text.isEmpty { frames.append(.data(request.stream, Array(text.utf8), endsStream: true)) }
        try await self.send(frames)
    }

    /// Sends the head of a response whose content follows.
    package func begin(_ request: HTTP2Headers, _ text: String = "", fields: [(String, String)] = []) async throws {
        var frames = [HTTP2Output.headers(request.stream, [(":status", "200")] + fields)]
        if !text.isEmpty { frames.append(.data(request.stream, Array(text.utf8))) }
        try await self.send(frames)
    }

    /// Sends the rest of a response.
    package func end(_ request: HTTP2Headers, _ text: String = "") async throws {
        try await self.send(.data(request.stream, Array(text.utf8), endsStream: true))
    }
}
