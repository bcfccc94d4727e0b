// SPDX-License-Identifier: Apache-2.0
import TernErrors
import TernTransport

/// A connection that serves exchanges in some version of HTTP, which the pool does not know.
protocol HTTPSession: AnyObject, Sendable {
    /// The number of exchanges at the same time: 1 for HTTP/1.1, and the server's limit for HTTP/2.
    var capacity: Int { get }

    /// Whether the session serves several exchanges at the same time, so that the end of one does not affect the others.
    var isMultiplexed: Bool { get }

    /// Whether the session can begin an exchange, as far as is known; the server may have closed it while it was idle.
    var isReady: Bool { get }

    /// Whether the session can open a WebSocket while it serves other exchanges, as far as is known (RFC 8441 §3).
    var opensWebSockets: Bool { get }

    /// Sends a request, and returns when the final head has arrived; the session gives back, detaches or discards the slot.
    ///
    /// `hasReadBody` says what ``ExchangeFailure/hasReadBody`` says of a failure.
    func exchange(
        _ request: OutgoingRequest,
        for call: HTTPCall,
        in slot: Slot
    ) async throws(ExchangeFailure) -> (reply: HTTPReply, hasReadBody: Bool)

    /// Starts to watch the connection; `report` receives each change that the pool must know, on any thread.
    func start(reporting report: @escaping @Sendable (SessionEvent) -> Void)

    /// Closes the session at once, and calls `action` when the system has released the descriptor.
    func close(then action: @escaping @Sendable () -> Void)
}

enum SessionEvent: Hashable, Sendable {
    case capacityChanged(Int)
    /// The session begins no further exchange: it has ended, or will end with its last exchange.
    case ended
}

extension HTTPSession {
    func closeAndWait() async {
        await withUnsafeContinuation { continuation in self.close { continuation.resume() } }
    }
}
