// SPDX-License-Identifier: Apache-2.0

/// A fault of a server that uses HTTP/2, on one connection.
///
/// A test plans it with ``ConnectionPlan/accept(toClient:toServer:http2:)``, for a ``MemoryConnector`` whose `version`
/// is `.http2`. Faults refer to requests by number: the first request that arrives on the connection is 1, and a
/// WebSocket counts as a request. A fault whose request never arrives does not occur, and no fault occurs on a
/// connection that uses HTTP/1.1.
///
/// ```swift
/// let connector = MemoryConnector(version: .http2) { _ in .response(body: "hello") }
/// connector.plan(.accept(http2: [.refusal(ofRequest: 1), .goAway(beforeRequest: 3)]))
/// ```
///
/// To answer with the status 421 (Misdirected Request), use a ``ScriptedResponse`` instead of a fault.
public struct HTTP2Fault: Hashable, Sendable {
    enum Content: Hashable, Sendable {
        case reset(request: Int, code: UInt32, afterBodyByteCount: Int?)
        case goAway(lastRequest: Int, sentAtRequest: Int, code: UInt32)
        case settings(maximumConcurrentStreams: Int?, initialWindowByteCount: Int?, request: Int?)
    }

    let content: Content

    private init(_ content: Content) { self.content = content }
}

// MARK: Streams

extension HTTP2Fault {
    /// The server refuses a request without processing it (REFUSED_STREAM, RFC 9113 §8.7).
    ///
    /// The client may send the request again, even if the request is not idempotent. The server's script does not get
    /// the refused request.
    ///
    /// - Parameter request: The number of the request on the connection, from 1.
    /// - Returns: The fault.
    public static func refusal(ofRequest request: Int) -> HTTP2Fault {
        .reset(request: request, code: 7)
    }

    /// The server resets the stream of a request before it responds (RST_STREAM, RFC 9113 §6.4).
    ///
    /// The server's script does not get the request.
    ///
    /// - Parameters:
    ///   - request: The number of the request on the connection, from 1.
    ///   - code: The error code (RFC 9113 §7), such as 11 for ENHANCE_YOUR_CALM. Defaults to 2, INTERNAL_ERROR.
    /// - Returns: The fault.
    public static func reset(request: Int, code: UInt32 = 2) -> HTTP2Fault {
        HTTP2Fault(.reset(request: request, code: code, afterBodyByteCount: nil))
    }

    /// The server resets the stream of a request within its response (RST_STREAM, RFC 9113 §6.4).
    ///
    /// The client gets the head and the counted bytes. If the body has fewer bytes, the fault does not occur.
    ///
    /// - Parameters:
    ///   - request: The number of the request on the connection, from 1.
    ///   - code: The error code (RFC 9113 §7). Defaults to 2, INTERNAL_ERROR.
    ///   - afterBodyByteCount: The number of bytes of the body before the fault; 0 or more. With 0, the fault follows
    ///     the head.
    /// - Returns: The fault.
    public static func reset(request: Int, code: UInt32 = 2, afterBodyByteCount: Int) -> HTTP2Fault {
        HTTP2Fault(.reset(request: request, code: code, afterBodyByteCount: max(0, afterBodyByteCount)))
    }
}

// MARK: Connections

extension HTTP2Fault {
    /// When a request arrives, the server announces that it processes neither this request nor later ones (GOAWAY, RFC
    /// 9113 §6.8).
    ///
    /// The server still answers earlier requests. It does not pass this request and later ones to the script, and the
    /// client may send them again over another connection, even if they are not idempotent.
    ///
    /// - Parameters:
    ///   - request: The number of the first request that is not processed, from 1.
    ///   - code: The error code (RFC 9113 §7). Defaults to 0, NO_ERROR.
    /// - Returns: The fault.
    public static func goAway(beforeRequest request: Int, code: UInt32 = 0) -> HTTP2Fault {
        HTTP2Fault(.goAway(lastRequest: request - 1, sentAtRequest: request, code: code))
    }

    /// When a request arrives, the server announces that it processes this request, but no later one (GOAWAY, RFC 9113
    /// §6.8).
    ///
    /// The client gets the announcement before the response, and uses another connection for later requests.
    ///
    /// - Parameters:
    ///   - request: The number of the last request that is processed, from 1.
    ///   - code: The error code (RFC 9113 §7). Defaults to 0, NO_ERROR.
    /// - Returns: The fault.
    public static func goAway(afterRequest request: Int, code: UInt32 = 0) -> HTTP2Fault {
        HTTP2Fault(.goAway(lastRequest: request, sentAtRequest: request, code: code))
    }
}

// MARK: Settings

extension HTTP2Fault {
    /// The server never lets the client send the content of a request (SETTINGS_INITIAL_WINDOW_SIZE of 0, RFC 9113
    /// §6.9.2).
    ///
    /// An upload waits until one of the client's time limits ends it. Until the client has received the server's first
    /// settings, the protocol lets it send 65,535 bytes, so test with a larger body.
    public static let closedWindow: HTTP2Fault = .settings(initialWindowByteCount: 0)

    /// The server changes its settings (SETTINGS, RFC 9113 §6.5.2).
    ///
    /// - Parameters:
    ///   - request: The number of the request at whose arrival the server sends the settings, from 1. The client gets
    ///     them before the response. Defaults to `nil`: the server's first settings have these values.
    ///   - maximumConcurrentStreams: The number of streams that the client may have open at once. Defaults to `nil`,
    ///     for no change; the first settings allow 100.
    ///   - initialWindowByteCount: The number of bytes of content that the client may send on a stream before the
    ///     server has read them, 0 to 2³¹ − 1. With 0, no stream sends content. Defaults to `nil`, for no change; the
    ///     first settings allow 65,535.
    /// - Returns: The fault.
    public static func settings(
        atRequest request: Int? = nil,
        maximumConcurrentStreams: Int? = nil,
        initialWindowByteCount: Int? = nil
    ) -> HTTP2Fault {
        HTTP2Fault(
            .settings(
                maximumConcurrentStreams: maximumConcurrentStreams,
                initialWindowByteCount: initialWindowByteCount,
                request: request
            )
        )
    }
}
