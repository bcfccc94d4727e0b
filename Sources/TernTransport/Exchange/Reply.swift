// SPDX-License-Identifier: Apache-2.0
public import NIOCore
public import TernErrors

/// A response and the body that follows it.
public struct Reply: Sendable {
    /// The head.
    public var response: Response
    /// The body, of which perhaps nothing has been read yet.
    public var body: ResponseBody
    /// The connection, if the server answered 101 (Switching Protocols) to a request with `Upgrade`; otherwise `nil`.
    public var upgrade: UpgradedConnection?

    /// Creates a reply.
    public init(response: Response, body: ResponseBody, upgrade: UpgradedConnection? = nil) {
        self.response = response
        self.body = body
        self.upgrade = upgrade
    }
}

/// Gives the bytes of one response body; the driver of a protocol provides it.
///
/// It owns the exchange: releasing it before the end abandons the rest and frees the connection.
public protocol ResponseBodySource: AnyObject, Sendable {
    /// Waits until `byteCount` bytes are there, or as many as the connection buffers, and gives the first of them.
    ///
    /// - Returns: bytes, never empty; `nil` once the body is complete.
    /// - Throws: `ClientError`. After it has thrown, or given `nil`, it gives `nil`.
    func next(atLeast byteCount: Int) async throws(ClientError) -> ByteBuffer?

    /// The length of the body in bytes, if it was announced.
    var length: Int64? { get }
}

/// The bytes of one response, in the order in which they arrive.
///
/// Nothing is read from the connection until they are asked for. Read them once: a second iterator goes on where the
/// first stopped. Releasing the body before its end abandons the exchange and frees the connection.
public struct ResponseBody: Sendable {
    fileprivate enum Content {
        case whole(ByteBuffer)
        case source(any ResponseBodySource)
    }

    private let content: Content

    /// Creates a body that is there already.
    public init(_ bytes: ByteBuffer) { self.content = .whole(bytes) }

    /// Creates a body that comes in pieces.
    public init(_ source: any ResponseBodySource) { self.content = .source(source) }

    /// The length in bytes, if it is known.
    public var length: Int64? {
        switch self.content {
        case .whole(let bytes): Int64(bytes.readableBytes)
        case .source(let source): source.length
        }
    }

    /// All bytes, if they are there already.
    public var whole: ByteBuffer? {
        if case .whole(let bytes) = self.content { bytes } else { nil }
    }

    /// Begins to read.
    public func makeReader() -> Reader { Reader(content: self.content) }

    /// Reads the pieces; belongs to one task.
    public struct Reader {
        private var content: Content?

        fileprivate init(content: Content) { self.content = content }

        /// The next bytes, never empty; `nil` once the body is complete.
        ///
        /// - Parameter byteCount: how many to gather before waking the caller; 1 by default, which gives what is there.
        /// - Returns: the bytes, or `nil` at the end.
        /// - Throws: `ClientError`.
        nonisolated(nonsending) public mutating func next(atLeast byteCount: Int = 1) async throws(ClientError) -> ByteBuffer? {
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

@available(*, unavailable)
extension ResponseBody.Reader: Sendable {}

/// A connection that has left HTTP: the server answered 101, and both sides speak another protocol (RFC 9110 §7.8).
///
/// It belongs to whoever takes it: no pool counts it any more. Releasing it untaken closes it.
public final class UpgradedConnection: Sendable {
    /// The connection.
    public let connection: any Connection
    /// What came behind the response head, which is the new protocol's already.
    public let received: ByteBuffer

    /// Hands a connection over.
    ///
    /// - Parameters:
    ///   - connection: the connection, of which nobody else reads.
    ///   - received: the bytes that came behind the response head; none by default.
    public init(_ connection: any Connection, received: ByteBuffer = ByteBuffer()) {
        self.connection = connection
        self.received = received
    }
}
