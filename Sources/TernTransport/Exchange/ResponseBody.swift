// SPDX-License-Identifier: Apache-2.0
package import NIOCore
public import TernErrors

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Gives the bytes of one response body; the driver of a protocol provides it.
///
/// It owns the exchange: discarding or releasing it before the end abandons the rest and frees the connection.
package protocol ResponseBodySource: AnyObject, Sendable {
    /// Waits until `byteCount` bytes are there, or as many as the connection buffers, and gives the first of them.
    ///
    /// - Returns: bytes, never empty; `nil` once the body is complete.
    /// - Throws: `ClientError`. After it has thrown, or given `nil`, it gives `nil`.
    func next(atLeast byteCount: Int) async throws(ClientError) -> ByteBuffer?

    /// The length of the body in bytes, if it was announced.
    var length: Int64? { get }

    /// Frees what the body holds, although others still refer to it.
    ///
    /// A read that is waiting ends with an error, and each later one throws `ClientError.bodyMisused(.discarded, …)`. After
    /// the end it does nothing.
    func discard()
}

/// The bytes of one response, in the order in which they arrive.
///
/// It is a sequence of chunks; where it is cut has no meaning. Nothing is read from the connection until a chunk is
/// asked for. Read them once: a second iterator goes on where the first stopped. ``HTTPReply/discardBody()``, or releasing the
/// body before its end, abandons the exchange and frees the connection.
///
/// An interceptor, a stub or a transport of the application's own makes one of bytes, of text, or of chunks:
///
/// ```swift
/// let greeting = ResponseBody("hello")
/// let photo = ResponseBody(try Data(contentsOf: file))
/// let lines = ResponseBody(chunks: ["one\n", "two\n"].map { Data($0.utf8) })
/// ```
public struct ResponseBody: Sendable {
    fileprivate enum Content {
        case whole(ByteBuffer)
        case source(any ResponseBodySource)
    }

    private let content: Content

    /// Creates a body that is there already.
    package init(_ bytes: ByteBuffer) { self.content = .whole(bytes) }

    /// Creates a body that comes in pieces.
    package init(_ source: any ResponseBodySource) { self.content = .source(source) }

    /// Creates a body of bytes in memory.
    ///
    /// - Parameter data: The bytes. Defaults to none.
    public init(_ data: Data = Data()) { self.init(ByteBuffer(bytes: data)) }

    /// Creates a body of text.
    ///
    /// - Parameter text: The text, which becomes UTF-8.
    public init(_ text: String) { self.init(ByteBuffer(string: text)) }

    /// The length in bytes, if it is known.
    public var length: Int64? {
        switch self.content {
        case .whole(let bytes): Int64(bytes.readableBytes)
        case .source(let source): source.length
        }
    }

    /// All bytes, if they are there already.
    package var whole: ByteBuffer? {
        if case .whole(let bytes) = self.content { bytes } else { nil }
    }

    /// Frees what the body holds, for all that refer to it; bytes that are in memory already stay.
    package func discard() {
        if case .source(let source) = self.content { source.discard() }
    }

    /// Begins to read.
    package func makeReader() -> Reader { Reader(content: self.content) }

    /// Reads the pieces; one task reads at a time.
    package struct Reader: Sendable {
        private var content: Content?

        fileprivate init(content: Content) { self.content = content }

        /// The next bytes, never empty; `nil` once the body is complete.
        ///
        /// - Parameter byteCount: how many to gather before waking the caller; 1 by default, which gives what is there.
        /// - Returns: the bytes, or `nil` at the end.
        /// - Throws: `ClientError`.
        nonisolated(nonsending) package mutating func next(
            atLeast byteCount: Int = 1
        ) async throws(ClientError) -> ByteBuffer? {
            switch self.content {
            case .source(let source):
                return try await source.next(atLeast: byteCount)
            case .whole(let bytes):
                self.content = nil
                return bytes.readableBytes > 0 ? bytes : nil
            case nil:
                return nil
            }
        }
    }
}

extension ResponseBody: AsyncSequence {
    public func makeAsyncIterator() -> Iterator { Iterator(reader: self.makeReader()) }

    /// Gives the chunks; belongs to one task.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var reader: Reader

        /// The next chunk, never empty, or `nil` at the end of the body.
        ///
        /// - Throws: `ClientError`; `.cancelled` when the task is cancelled while it waits.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(ClientError) -> Data? {
            guard let bytes = try await self.reader.next() else { return nil }
            return bytes.withUnsafeReadableBytes { Data($0) }
        }
    }
}

@available(*, unavailable)
extension ResponseBody.Iterator: Sendable {}
