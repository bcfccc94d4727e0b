// SPDX-License-Identifier: Apache-2.0
package import NIOCore
public import TernErrors

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Delivers the bytes of one response body; the driver of a protocol provides it.
///
/// It owns the exchange: discarding or releasing it before the end abandons the rest and frees the connection.
package protocol ResponseBodySource: AnyObject, Sendable {
    /// Waits until `byteCount` bytes have arrived, or as many as the connection buffers, and returns the first of them.
    ///
    /// - Returns: Bytes, never empty; `nil` once the body is complete.
    /// - Throws: `ClientError`. After it has thrown, or returned `nil`, it returns `nil`.
    func next(atLeast byteCount: Int) async throws(ClientError) -> ByteBuffer?

    /// The length of the body in bytes, if it was announced.
    var length: Int64? { get }

    /// Frees the resources of the body, even if other references to it exist.
    ///
    /// A pending read ends with an error, and each later one throws `ClientError.bodyMisused(.discarded, …)`. After the
    /// end it does nothing.
    func discard()
}

/// The bytes of one response, in the order in which they arrive.
///
/// It is a sequence of chunks, whose boundaries have no meaning. Nothing is read from the connection until a chunk is
/// requested. Read it once: a second iterator continues where the first stopped. ``HTTPReply/discardBody()``, or
/// releasing the body before its end, abandons the exchange and frees the connection.
///
/// An interceptor, a stub or a custom transport creates one from bytes, from text, or from chunks:
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

    /// Creates a body from bytes that are available.
    package init(_ bytes: ByteBuffer) { self.content = .whole(bytes) }

    /// Creates a body from a source that delivers it in pieces.
    package init(_ source: any ResponseBodySource) { self.content = .source(source) }

    /// Creates a body from bytes in memory.
    ///
    /// - Parameter data: The bytes. Defaults to none.
    public init(_ data: Data = Data()) { self.init(ByteBuffer(bytes: data)) }

    /// Creates a body from text.
    ///
    /// - Parameter text: The text, which is encoded as UTF-8.
    public init(_ text: String) { self.init(ByteBuffer(string: text)) }

    /// The length in bytes, if known.
    public var length: Int64? {
        switch self.content {
        case .whole(let bytes): Int64(bytes.readableBytes)
        case .source(let source): source.length
        }
    }

    /// All bytes, if they are available.
    package var whole: ByteBuffer? {
        if case .whole(let bytes) = self.content { bytes } else { nil }
    }

    /// Frees the resources of the body for all references to it; bytes that are already in memory remain readable.
    package func discard() {
        if case .source(let source) = self.content { source.discard() }
    }

    /// Returns a reader.
    package func makeReader() -> Reader { Reader(content: self.content) }

    /// Reads the pieces; only one task may read at a time.
    package struct Reader: Sendable {
        private var content: Content?

        fileprivate init(content: Content) { self.content = content }

        /// Returns the next bytes, never empty; `nil` once the body is complete.
        ///
        /// - Parameter byteCount: The number of bytes to gather before waking the caller. Defaults to 1, which returns
        ///   what is available.
        /// - Returns: The bytes, or `nil` at the end.
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

    /// Delivers the chunks; belongs to one task.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var reader: Reader

        /// Returns the next chunk, never empty; `nil` at the end of the body.
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
