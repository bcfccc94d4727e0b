// SPDX-License-Identifier: Apache-2.0
import TernConnections
import TernErrors
import TernTransport

/// A connection that uses HTTP/1.1 (RFC 9112): one exchange at a time.
final class HTTP1Session: HTTPSession {
    private let connection: any Connection
    private let settings: ExchangeSettings

    init(_ connection: any Connection, _ settings: ExchangeSettings) {
        self.connection = connection
        self.settings = settings
    }

    var capacity: Int { 1 }

    var isReady: Bool { self.connection.isReadyForExchange }

    func exchange(
        _ request: OutgoingRequest,
        for call: HTTPCall,
        in slot: Slot
    ) async throws(ExchangeFailure) -> HTTPReply {
        try await HTTP1Exchange(request, for: call, on: self.connection, in: slot, self.settings).run()
    }

    func close(then action: @escaping @Sendable () -> Void) { self.connection.close(then: action) }
}
