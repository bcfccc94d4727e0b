// SPDX-License-Identifier: Apache-2.0
package import NIOCore
public import TernErrors
public import TernFoundation

/// Delivers the bytes of one response body, for example from an HTTP/1.1 connection.
///
/// A source owns the exchange: discarding or releasing the source before the end abandons the rest of the body, and
/// frees the connection.
package protocol ResponseBodySource: AnyObject, Sendable {
    /// Waits until `byteCount` bytes have arrived, the connection's buffer is full, or the body ends.
    ///
    /// The method returns the first of the bytes that have arrived; the next calls return the others without waiting.
    ///
    /// - Returns: Bytes, never empty; `nil` once the body is complete.
    /// - Throws: `ClientError`. After an error, and after the end, each later call returns `nil`.
    func next(atLeast byteCount: Int) async throws(ClientError) -> ByteBuffer?

    /// The length of the body in bytes; `nil` if it is unknown.
    var length: Int64? { get }

    /// Frees the resources of the body, even if other references to it exist.
    ///
    /// A pending read from a connection ends with an error, and each later read throws
    /// `ClientError.bodyMisused(.discarded, …)`. After the end of the body, this method does nothing.
    func discard()
}

/// The bytes of one response, in the order in which they arrive.
///
/// A body is a sequence of chunks; the boundaries of the chunks have no meaning. The body takes bytes from the
/// connection only when its reader requests a chunk. Read a body once: a second iterator continues where the first one
/// stopped. If all bytes are in memory, each iterator begins at the first byte instead. ``HTTPReply/discardBody()``, or
/// releasing the body before its end, abandons the exchange and frees the connection.
///
/// An interceptor, a stub or a custom transport creates a body from bytes, from text, or from chunks:
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

    /// Creates a body from bytes that are completely in memory.
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

    /// The length in bytes; `nil` if it is unknown.
    public var length: Int64? {
        switch self.content {
        case .whole(let bytes): Int64(bytes.readableBytes)
        case .source(let source): source.length
        }
    }

    /// All bytes, if they are in memory; otherwise `nil`.
    package var whole: ByteBuffer? {
        if case .whole(let bytes) = self.content { bytes } else { nil }
    }

    /// Frees the resources of the body for all references to it; a body that is completely in memory remains readable.
    package func discard() {
        if case .source(let source) = self.content { source.discard() }
    }

    /// Returns a reader of the body's pieces.
    package func makeReader() -> Reader { Reader(content: self.content) }

    /// Reads the pieces of a body.
    ///
    /// Only one task may read at a time.
    package struct Reader: Sendable {
        private var content: Content?

        fileprivate init(content: Content) { self.content = content }

        /// Waits for the next bytes.
        ///
        /// - Parameter byteCount: The number of bytes to wait for. Defaults to 1, so that the wait ends as soon as any
        ///   bytes are available.
        /// - Returns: The bytes, never empty; `nil` once the body is complete.
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

    /// Delivers the chunks of a body to one task.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var reader: Reader

        /// Returns the next chunk, never empty; `nil` at the end of the body.
        ///
        /// - Throws: `ClientError`; `.cancelled` if the task is cancelled while it waits for the chunk.
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
