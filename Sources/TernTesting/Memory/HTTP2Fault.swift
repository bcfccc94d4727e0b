// SPDX-License-Identifier: Apache-2.0

/// A fault of a server that uses HTTP/2, on one connection.
///
/// A test plans it with ``ConnectionPlan/accept(toClient:toServer:http2:)``, for a ``MemoryConnector`` whose `version` is `.http2`.
/// The first request, or WebSocket, that arrives on the connection has the number 1. Error codes are those of RFC 9113 §7. On a
/// connection that uses HTTP/1.1, no fault occurs.
///
/// ```swift
/// let connector = MemoryConnector(version: .http2) { _ in .response(body: "hello") }
/// connector.plan(.accept(http2: [.refusal(ofRequest: 1), .goAway(beforeRequest: 3)]))
/// ```
///
/// To answer with the status 421 (Misdirected Request), use a ``ScriptedResponse`` instead.
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
    /// The server refuses a request before its script gets it, so the client may send it again (REFUSED_STREAM, RFC 9113 §8.7).
    public static func refusal(ofRequest request: Int) -> HTTP2Fault {
        .reset(request: request, code: 7)
    }

    /// The server resets the stream of a request before its script gets the request (RST_STREAM, RFC 9113 §6.4).
    public static func reset(request: Int, code: UInt32 = 2) -> HTTP2Fault {
        HTTP2Fault(.reset(request: request, code: code, afterBodyByteCount: nil))
    }

    /// The server resets the stream of a request within its response (RST_STREAM, RFC 9113 §6.4).
    ///
    /// - Parameters:
    ///   - request: The number of the request on the connection, from 1.
    ///   - code: The error code.
    ///   - afterBodyByteCount: The number of bytes of the body before the fault; with 0, it follows the head. It does not occur in
    ///     a shorter body.
    /// - Returns: The fault.
    public static func reset(request: Int, code: UInt32 = 2, afterBodyByteCount: Int) -> HTTP2Fault {
        HTTP2Fault(.reset(request: request, code: code, afterBodyByteCount: max(0, afterBodyByteCount)))
    }
}

// MARK: Connections

extension HTTP2Fault {
    /// When a request arrives, the server announces that it processes neither this one nor later ones (GOAWAY, RFC 9113 §6.8).
    ///
    /// The server still answers earlier requests. The client may send the others again over another connection.
    ///
    /// - Parameters:
    ///   - request: The number of the first request that is not processed, from 1.
    ///   - code: The error code.
    /// - Returns: The fault.
    public static func goAway(beforeRequest request: Int, code: UInt32 = 0) -> HTTP2Fault {
        HTTP2Fault(.goAway(lastRequest: request - 1, sentAtRequest: request, code: code))
    }

    /// When a request arrives, the server announces, before it responds, that it processes no later one (GOAWAY, RFC 9113 §6.8).
    public static func goAway(afterRequest request: Int, code: UInt32 = 0) -> HTTP2Fault {
        HTTP2Fault(.goAway(lastRequest: request, sentAtRequest: request, code: code))
    }
}

// MARK: Settings

extension HTTP2Fault {
    /// From its first settings on, the server lets the client send no content, so that an upload waits
    /// (SETTINGS_INITIAL_WINDOW_SIZE of 0, RFC 9113 §6.9.2).
    ///
    /// Before these settings have arrived, the client may send 65,535 bytes, so test with a larger body.
    public static let closedWindow: HTTP2Fault = .settings(initialWindowByteCount: 0)

    /// The server changes its settings (SETTINGS, RFC 9113 §6.5.2).
    ///
    /// - Parameters:
    ///   - request: The number of the request whose arrival makes the server send the settings, before it responds; `nil` for the
    ///     first settings of the connection.
    ///   - maximumConcurrentStreams: The number of streams that the client may have open, at first 100; `nil` for no change.
    ///   - initialWindowByteCount: The number of bytes, 0 to 2³¹ − 1, that the client may send on a stream before a
    ///     WINDOW_UPDATE, at first 65,535; `nil` for no change.
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
