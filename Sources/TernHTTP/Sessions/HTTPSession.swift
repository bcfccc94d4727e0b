// SPDX-License-Identifier: Apache-2.0
import TernErrors
import TernTransport

/// A connection that serves exchanges in some version of HTTP.
///
/// The pool uses it without knowing the version.
protocol HTTPSession: AnyObject, Sendable {
    /// The number of exchanges that the session serves at the same time: 1 for HTTP/1.1, and the server's limit for
    /// HTTP/2.
    var capacity: Int { get }

    /// Whether the session serves several exchanges at the same time. The end of one exchange then does not affect the
    /// others.
    var isMultiplexed: Bool { get }

    /// Whether the session can begin an exchange, as far as is known; the server may have closed it while it was idle.
    var isReady: Bool { get }

    /// Whether the session can open a WebSocket while it serves other exchanges, as far as is known (RFC 8441 §3).
    var opensWebSockets: Bool { get }

    /// Sends a request, and returns when the head of the final response has arrived.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - call: The call that the request belongs to.
    ///   - slot: The slot of the exchange, which the session gives back, detaches or discards at the end.
    /// - Returns: The reply, whose body is read on demand.
    /// - Throws: The reason why there is no response. The error says whether the server may have received the request.
    func exchange(
        _ request: OutgoingRequest,
        for call: HTTPCall,
        in slot: Slot
    ) async throws(ExchangeFailure) -> HTTPReply

    /// Starts to watch the connection.
    ///
    /// - Parameter report: Receives each change that the pool must know, on any thread.
    func start(reporting report: @escaping @Sendable (SessionEvent) -> Void)

    /// Closes the session at once, and calls `action` when the system has released the descriptor.
    func close(then action: @escaping @Sendable () -> Void)
}

/// A change of a session that the pool must know.
enum SessionEvent: Hashable, Sendable {
    /// From now on, the session serves this number of exchanges at the same time.
    case capacityChanged(Int)
    /// The session begins no further exchange: it has ended, or will end with its last exchange.
    case ended
}

extension HTTPSession {
    /// Closes the session, and returns when the system has released the descriptor.
    func closeAndWait() async {
        await withUnsafeContinuation { continuation in self.close { continuation.resume() } }
    }
}
