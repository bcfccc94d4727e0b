// SPDX-License-Identifier: Apache-2.0
import NIOCore
import TernErrors
import TernHTTP1
import TernRequests
import TernTransport

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Sends one body on a connection, piece by piece, as fast as it is taken.
struct BodySender {
    /// A piece of a body in memory: each has the idle timeout, and a report of progress.
    private static let pieceByteCount = 256 << 10
    /// The first segment of a file; those after it grow or shrink with the speed of the line.
    private static let firstSegmentByteCount: Int64 = 1 << 20
    /// The shortest segment: it goes out within the default idle timeout on all but the slowest lines.
    private static let minimumSegmentByteCount: Int64 = 64 << 10
    /// A segment that took less time is followed by a larger one.
    private static let fastSegmentDuration: Duration = .milliseconds(100)

    private let connection: any Connection
    private let call: HTTPCall
    private let length: Int64?
    private let activity: ExchangeActivity?
    private var sentByteCount: Int64 = 0
    /// How many bytes were handed to the network, chunk framing included.
    private var writtenByteCount: Int64 = 0

    /// Prepares to send.
    ///
    /// - Parameters:
    ///   - connection: where to.
    ///   - call: whose body it is.
    ///   - length: the length that was announced, in bytes; `nil` if none was.
    ///   - activity: learns when the connection took something. Defaults to `nil`.
    init(connection: any Connection, call: HTTPCall, length: Int64?, activity: ExchangeActivity? = nil) {
        self.connection = connection
        self.call = call
        self.length = length
        self.activity = activity
    }

    /// Sends the body, all of it.
    consuming func send(_ body: OutgoingRequest.Body, isChunked: Bool) async throws(ClientError) {
        switch body {
        case .none: break
        case .data(let data): try await self.send(data)
        case .file(let file): try await self.send(file)
        case .stream(let stream): try await self.send(stream, isChunked: isChunked)
        }
        self.call.observer?.didReach(.bodySent(byteCount: self.writtenByteCount))
    }

    /// Reads a stream that was announced to be empty; throws if it is not.
    func checkEmpty(_ stream: RequestBody.Stream) async throws(ClientError) {
        if try await self.next(of: stream.makeReader()) != nil { throw self.mismatch(0) }
    }

    private mutating func send(_ data: Data) async throws(ClientError) {
        var rest = data[...]
        while !rest.isEmpty {
            let piece = rest.prefix(Self.pieceByteCount)
            self.report(piece.count)
            try await self.write(ByteBuffer(copying: piece))
            rest = rest.dropFirst(piece.count)
        }
    }

    private mutating func send(_ file: ReadableFile) async throws(ClientError) {
        var offset: Int64 = 0
        var segmentByteCount = min(Self.firstSegmentByteCount, self.connection.maximumFileSegmentByteCount)
        while offset < file.byteCount {
            let start = self.call.clock.now
            let end = min(file.byteCount, offset + segmentByteCount)
            self.report(Int(end - offset))
            do throws(ConnectionError) {
                try await self.connection.write(file, range: offset..<end, deadline: self.deadline)
            } catch {
                throw self.call.error(error, .send)
            }
            self.writtenByteCount += end - offset
            offset = end
            // A fast line takes large segments; on a slow one each must go out well within the idle timeout.
            let isFast = start.duration(to: self.call.clock.now) < Self.fastSegmentDuration
            segmentByteCount = isFast ? segmentByteCount * 2 : max(segmentByteCount / 2, Self.minimumSegmentByteCount)
            segmentByteCount = min(segmentByteCount, self.connection.maximumFileSegmentByteCount)
        }
    }

    private mutating func send(_ stream: RequestBody.Stream, isChunked: Bool) async throws(ClientError) {
        let reader = stream.makeReader()
        guard let length = self.length, !isChunked else {
            while let piece = try await self.next(of: reader) {
                self.report(piece.count)
                try await self.write(ByteBuffer(chunk: piece))
            }
            let end = reader.trailers.map { ChunkEncoder.lastChunk(with: $0) } ?? ChunkEncoder.lastChunk
            return try await self.write(ByteBuffer(bytes: end))
        }
        // The piece that completes the request is held back until the stream has ended: if it goes on, its length was not
        // the announced one, and the server must not act on a request that fails here.
        var last: Data?
        while let piece = try await self.next(of: reader) {
            guard last == nil, self.sentByteCount + Int64(piece.count) <= length else { throw self.mismatch(length) }
            if self.sentByteCount + Int64(piece.count) == length {
                last = piece
            } else {
                try await self.send(piece: piece)
            }
        }
        if let last { try await self.send(piece: last) }
        guard self.sentByteCount == length else { throw self.mismatch(length) }
    }

    private mutating func send(piece: Data) async throws(ClientError) {
        self.report(piece.count)
        try await self.write(ByteBuffer(copying: piece))
    }

    private func mismatch(_ length: Int64) -> ClientError {
        .uploadFailed(.lengthMismatch(announced: length), self.call.context(.send))
    }

    /// The next piece, never empty.
    private func next(of reader: RequestBody.Reader) async throws(ClientError) -> Data? {
        do {
            while true {
                let piece = try await reader.next()
                if Task.isCancelled { throw CancellationError() }
                guard piece?.isEmpty ?? false else { return piece }
            }
        } catch is CancellationError where Task.isCancelled {
            throw .cancelled(self.call.context(.send))
        } catch let error as FileReadFailure {
            throw .uploadFailed(error.reason, self.call.context(.send))
        } catch {
            throw .uploadFailed(.streamFailed(type: "\(type(of: error))"), self.call.context(.send))
        }
    }

    private mutating func write(_ bytes: ByteBuffer) async throws(ClientError) {
        self.writtenByteCount += Int64(bytes.readableBytes)
        do throws(ConnectionError) {
            if try !self.connection.enqueue(bytes) { try await self.waitForRoom() }
        } catch {
            throw self.call.error(error, .send)
        }
        self.activity?.didSend()
    }

    /// Waits for room as long as the server takes something, sends something, or is not listened to.
    private func waitForRoom() async throws(ConnectionError) {
        var start = self.call.clock.now
        while true {
            let silence = self.call.timeouts.idle.map { CallDeadline(.idle, limit: $0, from: start) }
            do throws(ConnectionError) {
                return try await self.connection.waitForRoom(deadline: .earlier(silence, self.call.deadline))
            } catch {
                guard case .timedOut(let deadline) = error, deadline.timeout == .idle,
                    let instant = self.activity?.sendingGoesOn(since: start)
                else { throw error }
                start = instant
            }
        }
    }

    private var deadline: CallDeadline? { self.call.deadline(.idle, self.call.timeouts.idle) }

    /// Tells of a piece just before it is handed over: afterwards the answer may be here first.
    private mutating func report(_ byteCount: Int) {
        self.sentByteCount += Int64(byteCount)
        self.call.observer?.didSend(self.sentByteCount, of: self.length)
    }
}

extension ByteBuffer {
    /// The bytes of `data`, which NIO needs in a buffer of its own.
    init(copying data: Data) {
        self.init()
        self.append(data)
    }

    /// Appends the bytes of `data`.
    mutating func append(_ data: Data) { _ = data.withUnsafeBytes { self.writeBytes($0) } }

    /// One chunk with its framing (RFC 9112 §7.1).
    fileprivate init(chunk data: Data) {
        self.init()
        self.reserveCapacity(data.count + ChunkEncoder.maximumHeaderByteCount + ChunkEncoder.dataTerminator.count)
        self.writeWithOutputRawSpan(minimumWritableBytes: ChunkEncoder.maximumHeaderByteCount) { span in
            ChunkEncoder.encodeHeader(byteCount: data.count, into: &span)
        }
        self.append(data)
        self.writeBytes(ChunkEncoder.dataTerminator)
    }
}
