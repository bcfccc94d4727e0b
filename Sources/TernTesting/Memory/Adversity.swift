// SPDX-License-Identifier: Apache-2.0

/// A fault in the bytes that one side of a connection in memory sends.
///
/// Except for ``drip(bytesPerPiece:)``, it happens directly after `afterByteCount` bytes in this direction of the connection, or
/// `afterBodyByteCount` bytes since the start of the first body. With `afterByteCount` 0, a fault that ends the direction happens
/// when the first byte would arrive.
///
/// ```swift
/// let connector = MemoryConnector(
///     plan: .accept(toClient: [
///         .drip(bytesPerPiece: 1),
///         .reset(afterBodyByteCount: 3),
///     ])
/// ) { _ in
///     .response(body: "hello")
/// }
/// ```
///
/// The first body begins after the first head that is not of an interim response. Its bytes count as they are sent, with chunk
/// framing; after a 101 response, the bytes of the new protocol count. Over HTTP/2, the first body begins with the content of the
/// first DATA frame that has any, and then all bytes of the connection count. An ``HTTP2Fault`` can affect a single stream.
public struct Adversity: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        case stall
        case cut
        case reset
        case halfClose
    }

    enum Place: Hashable, Sendable {
        case connection(Int)
        case body(Int)
    }

    enum Content: Hashable, Sendable {
        case drip(Int)
        case event(Kind, Place)
    }

    let content: Content

    private init(_ content: Content) { self.content = content }

    /// The receiver gets up to `bytesPerPiece` bytes at a time, and no more while that many wait to be read; 0 counts as 1.
    public static func drip(bytesPerPiece: Int) -> Adversity { Adversity(.drip(bytesPerPiece)) }

    /// After this many bytes of the connection, nothing more arrives, not even a normal end; only a reset or an error does.
    public static func stall(afterByteCount: Int = 0) -> Adversity {
        Adversity(.event(.stall, .connection(afterByteCount)))
    }

    /// The sender closes the connection normally after this many bytes of the connection.
    public static func cut(afterByteCount: Int) -> Adversity { Adversity(.event(.cut, .connection(afterByteCount))) }

    /// After this many bytes of the connection, it is reset: reads of the receiver, and writes of both sides, fail.
    public static func reset(afterByteCount: Int) -> Adversity {
        Adversity(.event(.reset, .connection(afterByteCount)))
    }

    /// The sender ends its direction normally after this many bytes of the connection; the other direction stays open.
    public static func halfClose(afterByteCount: Int) -> Adversity {
        Adversity(.event(.halfClose, .connection(afterByteCount)))
    }

    /// After this many bytes of the first body, nothing more arrives, not even a normal end; only a reset or an error does.
    public static func stall(afterBodyByteCount: Int) -> Adversity {
        Adversity(.event(.stall, .body(afterBodyByteCount)))
    }

    /// The sender closes the connection normally after this many bytes of the first body.
    public static func cut(afterBodyByteCount: Int) -> Adversity { Adversity(.event(.cut, .body(afterBodyByteCount))) }

    /// After this many bytes of the first body, the connection is reset: reads of the receiver, and writes of both sides, fail.
    public static func reset(afterBodyByteCount: Int) -> Adversity {
        Adversity(.event(.reset, .body(afterBodyByteCount)))
    }

    /// The sender ends its direction normally after this many bytes of the first body; the other direction stays open.
    public static func halfClose(afterBodyByteCount: Int) -> Adversity {
        Adversity(.event(.halfClose, .body(afterBodyByteCount)))
    }
}
