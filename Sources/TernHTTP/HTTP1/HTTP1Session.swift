// SPDX-License-Identifier: Apache-2.0
import TernConnections
import TernErrors
import TernTransport

/// A connection that uses HTTP/1.1 (RFC 9112): one exchange at a time.
final class HTTP1Session: HTTPSession {
    let connection: any Connection
    private let settings: ExchangeSettings

    init(_ connection: any Connection, _ settings: ExchangeSettings) {
        self.connection = connection
        self.settings = settings
    }

    var capacity: Int { 1 }

    var isMultiplexed: Bool { false }

    var isReady: Bool { self.connection.isReadyForExchange }

    /// `false`: a WebSocket takes the whole connection, so it does not share one with other exchanges.
    var opensWebSockets: Bool { false }

    func exchange(
        _ request: OutgoingRequest,
        for call: HTTPCall,
        in slot: Slot
    ) async throws(ExchangeFailure) -> (reply: HTTPReply, hasReadBody: Bool) {
        let codec = HTTP1Codec(request, for: call, on: self, self.settings)
        return try await Exchange(request, for: call, by: codec, in: slot, self.settings).run()
    }

    func start(reporting report: @escaping @Sendable (SessionEvent) -> Void) {
        self.connection.onEnd { report(.ended) }
    }

    func close(then action: @escaping @Sendable () -> Void) { self.connection.close(then: action) }
}

/// A connection has one exchange at a time, so limits on its reads apply to the exchange, and closing it ends the exchange.
extension HTTP1Session: ExchangeControl {
    func limitReads(to deadline: CallDeadline?) { self.connection.limitReads(to: deadline) }

    func abort() { self.connection.close() }
}
