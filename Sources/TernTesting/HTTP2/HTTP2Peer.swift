// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TernHTTP2

/// The server's end of a connection that uses HTTP/2; one task reads at a time, and any number may write.
package final class HTTP2Peer: Sendable {
    private struct State: Sendable {
        var input: [UInt8] = []
        var start = 0
        var decoder = HPACKDecoder()
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
            try self.decoder.decode(ContiguousArray(block).span.bytes, into: &lines)
            return lines.contents.split(separator: UInt8(ascii: "\n")).map { HTTP2Line(text: $0) }
        }
    }

    package static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)

    package let connection: ServerConnection
    private let state = Mutex(State())

    package init(_ connection: ServerConnection) { self.connection = connection }

    package var number: Int { self.connection.number }

    // MARK: Reading

    package func readPreface() async throws -> Bool {
        guard let bytes = try await self.read(Self.preface.count) else { return false }
        guard bytes == Self.preface else { throw ScriptedServerError.malformedRequest("the preface of HTTP/2") }
        return true
    }

    /// Returns the next frame, after answering SETTINGS and PING if asked; `nil` if the client has ended its side.
    package func nextFrame(isAnswered: Bool = true) async throws -> HTTP2Frame? {
        if let frame = self.state.withLock({ $0.takePending { _ in true } }) { return frame }
        return try await self.receive(isAnswered: isAnswered)
    }

    /// Returns the next frame that meets a condition, and keeps those before it for later calls; answers SETTINGS and PING.
    package func wait(for matches: (HTTP2Frame) -> Bool) async throws -> HTTP2Frame? {
        if let frame = self.state.withLock({ $0.takePending(matches) }) { return frame }
        while let frame = try await self.receive(isAnswered: true) {
            if matches(frame) { return frame }
            self.state.withLock { $0.pending.append(frame) }
        }
        return nil
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

    package func send(_ frames: HTTP2Output...) async throws { try await self.send(frames) }

    package func send(_ frames: [HTTP2Output]) async throws {
        var bytes: [UInt8] = []
        for frame in frames { bytes += frame.bytes }
        try await self.connection.write(bytes)
    }
}
