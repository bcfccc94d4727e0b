// SPDX-License-Identifier: Apache-2.0
package import Tern
package import TernRequests
package import TernWebSocket

extension Duration {
    /// A limit that nothing reaches: longer than a test may take, however slow or busy the machine is.
    ///
    /// For tests whose clock is the system's, and for each limit that is not what they test.
    package static var patient: Duration { .seconds(3600) }
}

extension Timeouts {
    /// Limits of time of which only those fire that a test gives.
    package static func patient(
        connect: Duration? = .patient,
        connection: Duration? = .patient,
        firstByte: Duration? = .patient,
        idle: Duration? = .patient,
        call: Duration? = nil
    ) -> Timeouts { Timeouts(connect: connect, connection: connection, firstByte: firstByte, idle: idle, call: call) }
}

extension Client.Configuration {
    /// The defaults, with limits of time that nothing reaches.
    package static var patient: Client.Configuration {
        var configuration = Client.Configuration()
        configuration.timeouts = .patient()
        configuration.pool.idleTimeout = .patient
        return configuration
    }
}

extension WebSocketOptions {
    /// The defaults, with limits of time that nothing reaches.
    package static var patient: WebSocketOptions { .patient { _ in } }

    /// Options of which only those limits of time fire that a test sets.
    package static func patient(_ change: (inout WebSocketOptions) -> Void) -> WebSocketOptions {
        var options = WebSocketOptions(pongTimeout: .patient, sendTimeout: .patient, closeTimeout: .patient)
        change(&options)
        return options
    }
}
