// SPDX-License-Identifier: Apache-2.0
import TernErrors
import TernTransport

/// A connection that speaks some version of HTTP and serves exchanges: what lies between the pool and the syntax of messages.
protocol HTTPSession: AnyObject, Sendable {
    /// How many exchanges it serves at once: 1 for HTTP/1.1.
    var capacity: Int { get }

    /// Whether it can begin an exchange, as far as can be told now; the server may have closed it while it was idle.
    var isReady: Bool { get }

    /// Sends a request, and returns when the head of the final response has come.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - call: The call that it belongs to.
    ///   - slot: The slot, which the exchange settles.
    /// - Returns: The reply, whose body is read as the caller asks for it.
    /// - Throws: Why there is no response, and what was delivered of the request.
    func exchange(
        _ request: OutgoingRequest,
        for call: HTTPCall,
        in slot: Slot
    ) async throws(ExchangeFailure) -> HTTPReply

    /// Closes it at once, and calls `action` when the system has the descriptor back.
    func close(then action: @escaping @Sendable () -> Void)
}

extension HTTPSession {
    /// Closes it, and returns when the system has the descriptor back.
    func closeAndWait() async {
        await withUnsafeContinuation { continuation in self.close { continuation.resume() } }
    }
}
