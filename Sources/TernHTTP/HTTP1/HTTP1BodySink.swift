// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import NIOCore
import TernConnections
import TernErrors
import TernFoundation
import TernHTTP1
import TernRequests
import TernTransport

/// Writes the body of a request to a connection: unchanged if the head announced its length, otherwise in chunks.
struct HTTP1BodySink: BodySink {
    private let connection: any Connection
    private let call: HTTPCall
    private let length: OutgoingHead.BodyLength
    private let activity: any ExchangeActivity
    private(set) var writtenByteCount: Int64 = 0

    init(
        _ connection: any Connection,
        for call: HTTPCall,
        _ length: OutgoingHead.BodyLength,
        _ activity: any ExchangeActivity
    ) {
        self.connection = connection
        self.call = call
        self.length = length
        self.activity = activity
    }

    private var isChunked: Bool { self.length == .unknown }

    var maximumFileSegmentByteCount: Int64 { self.connection.maximumFileSegmentByteCount }

    mutating func send(_ piece: Data) async throws(ConnectionError) {
        try await self.write(self.isChunked ? ByteBuffer(chunk: piece) : ByteBuffer(copying: piece))
    }

    mutating func send(_ file: ReadableFile, range: Range<Int64>) async throws(ConnectionError) {
        if self.isChunked { try self.enqueue(ByteBuffer(chunkHeader: range.count)) }
        self.count(range.count)
        if let hasRoom = try self.connection.enqueue(file, range: range) {
            try await self.waitForRoom(unless: hasRoom)
        } else {
            try await self.sendThroughMemory(file, range: range)
        }
        if self.isChunked { try self.enqueue(ByteBuffer(bytes: ChunkEncoder.dataTerminator)) }
    }

    mutating func end(with trailers: HTTPFields?) async throws(ConnectionError) {
        self.activity.willQueueEnd()
        guard self.isChunked else { return }
        let end = trailers.map { ChunkEncoder.lastChunk(with: $0) } ?? ChunkEncoder.lastChunk
        try await self.write(ByteBuffer(bytes: end))
    }

    /// Sends a part of a file that the connection cannot send itself, and that is counted already.
    private func sendThroughMemory(_ file: ReadableFile, range: Range<Int64>) async throws(ConnectionError) {
        var start = range.lowerBound
        while start < range.upperBound {
            let byteCount = min(self.maximumFileSegmentByteCount, range.upperBound - start)
            let bytes: ByteBuffer
            do throws(FileReadError) {
                bytes = try await file.read(byteCount: Int(byteCount), at: start)
            } catch {
                throw .file(error.reason)
            }
            start += byteCount
            try await self.waitForRoom(unless: try self.connection.enqueue(bytes))
        }
    }

    private mutating func write(_ bytes: ByteBuffer) async throws(ConnectionError) {
        try await self.waitForRoom(unless: try self.enqueue(bytes))
    }

    private func waitForRoom(unless hasRoom: Bool) async throws(ConnectionError) {
        if !hasRoom { try await self.activity.waitForRoom(on: self.connection, for: self.call) }
        self.activity.didSend()
    }

    /// Queues bytes, and returns whether the connection has room for more.
    @discardableResult
    private mutating func enqueue(_ bytes: ByteBuffer) throws(ConnectionError) -> Bool {
        self.count(bytes.readableBytes)
        return try self.connection.enqueue(bytes)
    }

    private mutating func count(_ byteCount: Int) {
        self.writtenByteCount += Int64(byteCount)
        if self.length == .bytes(self.writtenByteCount) { self.activity.willQueueEnd() }
    }
}

extension ByteBuffer {
    /// Creates the line before the data of a chunk (RFC 9112 §7.1), with room for the data.
    fileprivate init(chunkHeader size: Int, withRoomFor byteCount: Int = 0) {
        self.init()
        self.reserveCapacity(ChunkEncoder.maximumHeaderByteCount + byteCount)
        self.writeWithOutputRawSpan(minimumWritableBytes: ChunkEncoder.maximumHeaderByteCount) { span in
            ChunkEncoder.encodeHeader(byteCount: size, into: &span)
        }
    }

    fileprivate init(chunk data: Data) {
        self.init(chunkHeader: data.count, withRoomFor: data.count + ChunkEncoder.dataTerminator.count)
        self.append(data)
        self.writeBytes(ChunkEncoder.dataTerminator)
    }
}
