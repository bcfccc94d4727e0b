// SPDX-License-Identifier: Apache-2.0
import NIOCore
import NIOFoundationEssentialsCompat
public import TernErrors
public import TernFoundation
public import TernRequests
public import TernTransport

/// The body of a response, byte by byte, as it arrives.
///
/// This sequence returns single bytes, ``chunks`` returns pieces as they arrived, and ``lines`` returns lines. Except over
/// `URLSession` on Linux, a slow loop slows the server down instead of filling the memory. When you leave the loop and release
/// this value, the client frees the connection.
///
/// A body can be read only once. A second iterator, also one over chunks, lines or events, continues with the bytes that the first
/// one has not taken from the connection. If an iterator over bytes, lines or events has come to the end or an error, a new one
/// over these throws `ClientError.bodyMisused`.
public struct ResponseBytes: AsyncSequence, Sendable {
    let body: SharedBody
    let maximumLineByteCount: Int

    /// The length of the body in bytes; `nil` if it is not known, for example because the client decompresses the body.
    public var length: Int64? { self.body.reply.body.length }

    public func makeAsyncIterator() -> Iterator { Iterator(self.body) }

    /// An iterator that returns the bytes, for one task only.
    public struct Iterator: AsyncIteratorProtocol {
        /// The last piece that the iterator took from the connection, whose bytes it returns without suspending.
        @usableFromInline var piece: [UInt8] = []
        @usableFromInline var position = 0
        private var reader: SharedBody.Reader

        init(_ body: SharedBody) { self.reader = SharedBody.Reader(body) }

        /// Returns the next byte, or `nil` at the end of the body.
        ///
        /// - Throws: `ClientError`, such as `.cancelled` when the task is cancelled while it waits, and `.bodyMisused` as
        ///   ``ResponseBytes`` describes.
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
    /// The body in pieces as they arrive; their boundaries have no meaning.
    public var chunks: ResponseBody { self.body.reply.body }
}

extension Client {
    /// Fetches a URL and returns the body as it arrives, as ``bytes(for:delegate:)`` does for a request.
    ///
    /// ```swift
    /// let (bytes, response) = try await client.bytes(from: url)
    /// for try await line in bytes.lines { print(line) }
    /// ```
    public func bytes(
        from url: URL,
        delegate: (any TaskDelegate)? = nil
    ) async throws(ClientError) -> (ResponseBytes, Response) {
        try await self.bytes(for: Request(url: url), delegate: delegate)
    }

    /// Sends a request and returns the body of the response as it arrives.
    ///
    /// The call returns after the head of the response, and the client retains the delegate until the body ends or is released.
    /// Cancelling the task that later reads the body ends the reading. Throws `ClientError`, as ``Client/data(for:delegate:)``
    /// does, but no `maximumBodyByteCount` applies.
    public func bytes(
        for request: Request,
        delegate: (any TaskDelegate)? = nil
    ) async throws(ClientError) -> (ResponseBytes, Response) {
        var (call, reply) = try await self.exchange(request, delegate)
        reply.body = reply.body.onlyOnce
        let body = SharedBody(reply.completing(call), of: call)
        let limit = self.configuration.maximumLineByteCount
        return (ResponseBytes(body: body, maximumLineByteCount: limit), reply.response)
    }
}
