// SPDX-License-Identifier: Apache-2.0
import NIOCore
import NIOFoundationEssentialsCompat
public import TernErrors
public import TernRequests
public import TernTransport

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The body of a response, byte by byte, as it arrives.
///
/// Choose the grain: this sequence gives single bytes, ``chunks`` gives what arrived in one piece, ``lines`` gives lines.
/// Nothing is read from the connection until it is asked for, so a slow loop slows the server and not the memory.
///
/// Read it once. A second iterator, of any grain, goes on with what has not been taken from the connection yet. Leaving
/// the loop and releasing this value frees the connection.
public struct ResponseBytes: AsyncSequence, Sendable {
    let reply: HTTPReply
    let call: HTTPCall
    let maximumLineByteCount: Int

    init(_ reply: HTTPReply, of call: HTTPCall, maximumLineByteCount: Int) {
        self.reply = reply
        self.call = call
        self.maximumLineByteCount = maximumLineByteCount
    }

    /// The length in bytes, if it was announced.
    public var length: Int64? { self.reply.body.length }

    public func makeAsyncIterator() -> Iterator { Iterator(self.reply.body.makeReader()) }

    /// Gives the bytes; belongs to one task.
    public struct Iterator: AsyncIteratorProtocol {
        /// What was taken from the connection last; bytes in it are given without suspending.
        @usableFromInline var piece: [UInt8] = []
        @usableFromInline var position = 0
        private var reader: ResponseBody.Reader

        init(_ reader: ResponseBody.Reader) { self.reader = reader }

        /// The next byte, or `nil` at the end of the body.
        ///
        /// - Throws: `ClientError`; `.cancelled` when the task is cancelled while it waits.
        @inlinable @inline(__always)
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(ClientError) -> UInt8? {
            if self.position < self.piece.count {
                defer { self.position &+= 1 }
                return self.piece[self.position]
            }
            return try await self.refill()
        }

        @usableFromInline
        nonisolated(nonsending) mutating func refill() async throws(ClientError) -> UInt8? {
            guard let bytes = try await self.reader.next() else {
                self.piece = []
                self.position = 0
                return nil
            }
            self.piece = Array(bytes.readableBytesView)
            self.position = 1
            return self.piece.first
        }
    }
}

@available(*, unavailable)
extension ResponseBytes.Iterator: Sendable {}

extension ResponseBytes {
    /// The body in the pieces in which it arrives; where it is cut has no meaning.
    public var chunks: ResponseBody { self.reply.body }
}

extension Client {
    /// Fetches a URL and gives the body as it arrives.
    ///
    /// ```swift
    /// let (bytes, response) = try await client.bytes(from: url)
    /// for try await line in bytes.lines { print(line) }
    /// ```
    ///
    /// - Parameters:
    ///   - url: an `http` or `https` URL.
    ///   - delegate: Receives this call's events. Retained until the body ends. Defaults to `nil`.
    /// - Returns: the body, of which nothing may have arrived yet, and the response, whatever its status.
    /// - Throws: `ClientError`. Cancelling the task ends the call, and later the reading, at once with `.cancelled`.
    public func bytes(
        from url: URL,
        delegate: (any TaskDelegate)? = nil
    ) async throws(ClientError) -> (ResponseBytes, Response) {
        try await self.bytes(for: Request(url: url), delegate: delegate)
    }

    /// Sends a request and gives the body of the response as it arrives.
    ///
    /// - Parameters:
    ///   - request: what to send.
    ///   - delegate: Receives this call's events. Retained until the body ends. Defaults to `nil`.
    /// - Returns: the body, of which nothing may have arrived yet, and the response, whatever its status.
    /// - Throws: `ClientError`. Cancelling the task ends the call, and later the reading, at once with `.cancelled`.
    public func bytes(
        for request: Request,
        delegate: (any TaskDelegate)? = nil
    ) async throws(ClientError) -> (ResponseBytes, Response) {
        let (call, reply) = try await self.exchange(request, delegate)
        let limit = self.configuration.maximumLineByteCount
        let bytes = ResponseBytes(reply.completing(call), of: call, maximumLineByteCount: limit)
        return (bytes, reply.response)
    }
}
