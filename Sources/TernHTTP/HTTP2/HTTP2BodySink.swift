// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import NIOCore
import Synchronization
import TernConnections
import TernErrors
import TernFields
import TernFoundation
import TernRequests
import TernTransport

/// Sends the body of a request in DATA frames, as the windows of the stream and of the connection allow (RFC 9113 §6.9).
struct HTTP2BodySink: BodySink {
    private let stream: HTTP2ExchangeStream
    private let call: HTTPCall
    private let activity: any ExchangeActivity
    private(set) var writtenByteCount: Int64 = 0

    init(_ stream: HTTP2ExchangeStream, for call: HTTPCall, _ activity: any ExchangeActivity) {
        self.stream = stream
        self.call = call
        self.activity = activity
    }

    /// The length of a piece of a file; at most three pieces are in memory at the same time.
    private static let pieceByteCount: Int64 = 256 << 10

    /// 2 MiB; files are read into memory to be sent, because the frames of the stream are mixed with those of other streams.
    var maximumFileSegmentByteCount: Int64 { 2 << 20 }

    mutating func send(_ piece: Data) async throws(ConnectionError) { try await self.send(ByteBuffer(copying: piece)) }

    mutating func send(_ file: ReadableFile, range: Range<Int64>) async throws(ConnectionError) {
        var start = range.lowerBound
        var bytes = try await Self.piece(of: file, in: range).get()
        while bytes.readableBytes > 0 {
            start += Int64(bytes.readableBytes)
            async let next = Self.piece(of: file, in: start..<range.upperBound)  // while the network takes this one
            try await self.send(bytes)
            bytes = try await next.get()
        }
    }

    /// Reads the first piece of a range of a file; returns an empty piece for an empty range.
    private static func piece(
        of file: ReadableFile,
        in range: Range<Int64>
    ) async -> Result<ByteBuffer, ConnectionError> {
        let byteCount = Int(min(Self.pieceByteCount, range.upperBound - range.lowerBound))
        guard byteCount > 0 else { return .success(ByteBuffer()) }
        do throws(FileReadError) {
            return .success(try await file.read(byteCount: byteCount, at: range.lowerBound))
        } catch {
            return .failure(.file(error.reason))
        }
    }

    mutating func end(with trailers: HTTPFields?) async throws(ConnectionError) {
        let allowed = trailers.map { HTTPFields($0.filter(\.name.isAllowedInTrailers)) }
        try await self.send(ByteBuffer(), keeping: 0)
        let hasRoom = try self.stream.session.endBody(of: self.stream, with: allowed)
        self.activity.didSend()
        if !hasRoom { try await self.activity.waitForRoom(on: self.stream.session.connection, for: self.call) }
    }

    /// Hands over content, and waits until at most the given amount is unsent, so that the session always has some to send.
    private mutating func send(
        _ bytes: ByteBuffer,
        keeping maximumUnsentByteCount: Int = Int(Self.pieceByteCount)
    ) async throws(ConnectionError) {
        var rest = bytes
        self.writtenByteCount += Int64(bytes.readableBytes)
        while true {
            let step = try self.stream.session.send(rest, on: self.stream, keeping: maximumUnsentByteCount)
            rest = ByteBuffer()
            switch step {
            case .taken(hasRoom: true): return
            case .taken(hasRoom: false):
                return try await self.activity.waitForRoom(on: self.stream.session.connection, for: self.call)
            case .wait(let wait): try await self.wait(for: wait)
            }
        }
    }

    /// Waits until the session has sent enough, or until the caller must check again, because the idle timeout has an excuse.
    private func wait(for wait: UnsentContent.Wait) async throws(ConnectionError) {
        let start = self.call.clock.now
        let silence = self.call.timeouts.idle.map { CallDeadline(.idle, limit: $0, from: start) }
        do throws(ConnectionError) {
            try await wait.success(until: .earlier(silence, self.call.deadline), on: self.call.clock)
        } catch {
            guard error.isIdleTimeout,
                self.activity.sendIdleStart(since: start, lastSent: self.stream.lastSent) != nil
            else { throw error }
        }
    }
}
