// SPDX-License-Identifier: Apache-2.0
package import NIOCore
public import TernErrors
public import TernFoundation

/// Delivers the bytes of one response body, for example from an HTTP/1.1 connection.
///
/// Discarding or releasing a source whose bytes are still arriving abandons the rest of the body, and frees the connection.
package protocol ResponseBodySource: AnyObject, Sendable {
    /// Returns the next bytes; `nil` at the end, and after an error.
    ///
    /// A source may wait until `byteCount` bytes have arrived, its buffer is full, or the body ends.
    func next(atLeast byteCount: Int) async throws(ClientError) -> ByteBuffer?

    var length: Int64? { get }

    /// Frees the resources of the body, even if other references to it exist, as ``HTTPReply/discardBody()`` describes.
    func discard()
}

/// The bytes of one response body, as a sequence of chunks; the boundaries between chunks have no meaning.
///
/// While no task reads, the client usually buffers only a limited part of the body, and makes the server wait. Read a body once:
/// a second iterator usually continues where the first one stopped. To free the connection before the end of the body, release
/// the body, or call ``HTTPReply/discardBody()``.
///
/// An interceptor, a stub or a custom transport can create a body from bytes, from text, or from chunks:
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

    package init(_ bytes: ByteBuffer) { self.content = .whole(bytes) }

    package init(_ source: any ResponseBodySource) { self.content = .source(source) }

    /// Creates a body from bytes in memory.
    public init(_ data: Data = Data()) { self.init(ByteBuffer(bytes: data)) }

    /// Creates a body from text, which is encoded as UTF-8.
    public init(_ text: String) { self.init(ByteBuffer(string: text)) }

    /// The exact or the announced length, in bytes; `nil` if it is unknown.
    public var length: Int64? {
        switch self.content {
        case .whole(let bytes): Int64(bytes.readableBytes)
        case .source(let source): source.length
        }
    }

    package var whole: ByteBuffer? {
        if case .whole(let bytes) = self.content { bytes } else { nil }
    }

    /// Frees the resources of the body for all references to it, unless it is completely in memory.
    package func discard() {
        if case .source(let source) = self.content { source.discard() }
    }

    package func makeReader() -> Reader { Reader(content: self.content) }

    /// Reads the pieces of a body in one task at a time.
    package struct Reader: Sendable {
        private var content: Content?

        fileprivate init(content: Content) { self.content = content }

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

    /// Delivers the chunks of a body.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var reader: Reader

        /// Returns the next chunk, never empty, or `nil` after the body has ended or failed.
        ///
        /// Throws the error that ends the body early, such as `.truncated` or `.cancelled`. Usually throws `.bodyMisused` while
        /// another task reads, and after the body was discarded.
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
