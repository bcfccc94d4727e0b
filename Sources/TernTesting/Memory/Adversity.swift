// SPDX-License-Identifier: Apache-2.0

/// A fault that affects the bytes in one direction of a connection, as a value.
///
/// Bytes are counted from the start of the connection (`afterByteCount`), or from the start of the first body on it
/// (`afterBodyByteCount`). A fault that ends the direction after `n` bytes does so directly after the last of them.
/// With 0 bytes, it does so when the first byte would have arrived.
///
/// ```swift
/// let connector = MemoryConnector(
///     plan: .accept(toClient: [.drip(bytesPerPiece: 1), .reset(afterBodyByteCount: 3)])
/// ) { _ in
///     .response(body: "hello")
/// }
/// ```
///
/// A body begins after the empty line that ends the head of the first final message. Interim heads before it, such as
/// 103 (Early Hints), are skipped. The bytes of the body are counted as they are sent, so chunk framing counts, too.
/// After a 101 response, they are the bytes of the new protocol.
public struct Adversity: Hashable, Sendable {
    /// The kind of fault.
    enum Kind: Hashable, Sendable {
        case stall
        case cut
        case reset
        case halfClose
    }

    /// The position at which a fault occurs.
    enum Place: Hashable, Sendable {
        /// After this many bytes of the connection.
        case connection(Int)
        /// After this many bytes of the first body.
        case body(Int)
    }

    enum Content: Hashable, Sendable {
        case drip(Int)
        case event(Kind, Place)
    }

    let content: Content

    private init(_ content: Content) { self.content = content }

    /// The receiver gets at most this many bytes at a time, and the next ones only when it has read them.
    public static func drip(bytesPerPiece: Int) -> Adversity { Adversity(.drip(bytesPerPiece)) }

    /// No bytes arrive after this many bytes of the connection, and no end either.
    public static func stall(afterByteCount: Int = 0) -> Adversity {
        Adversity(.event(.stall, .connection(afterByteCount)))
    }

    /// The sender closes the connection normally after this many of its bytes.
    public static func cut(afterByteCount: Int) -> Adversity { Adversity(.event(.cut, .connection(afterByteCount))) }

    /// The connection is reset after this many of its bytes; both sides notice.
    public static func reset(afterByteCount: Int) -> Adversity {
        Adversity(.event(.reset, .connection(afterByteCount)))
    }

    /// The sender ends its direction normally after this many bytes; the other direction stays open.
    public static func halfClose(afterByteCount: Int) -> Adversity {
        Adversity(.event(.halfClose, .connection(afterByteCount)))
    }

    /// No bytes arrive after this many bytes of the first body, and no end either.
    public static func stall(afterBodyByteCount: Int) -> Adversity {
        Adversity(.event(.stall, .body(afterBodyByteCount)))
    }

    /// The sender closes the connection normally after this many bytes of the first body.
    public static func cut(afterBodyByteCount: Int) -> Adversity { Adversity(.event(.cut, .body(afterBodyByteCount))) }

    /// The connection is reset after this many bytes of the first body; both sides notice.
    public static func reset(afterBodyByteCount: Int) -> Adversity {
        Adversity(.event(.reset, .body(afterBodyByteCount)))
    }

    /// The sender ends its direction normally after this many bytes of the first body; the other direction stays open.
    public static func halfClose(afterBodyByteCount: Int) -> Adversity {
        Adversity(.event(.halfClose, .body(afterBodyByteCount)))
    }
}
