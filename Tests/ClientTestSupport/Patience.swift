// SPDX-License-Identifier: Apache-2.0
package import Tern
package import TernRequests
package import TernWebSocket

extension Duration {
    /// A time limit that no test reaches, even on a slow or busy machine.
    ///
    /// Use it in tests that run by the system's clock, for every limit that is not under test.
    package static var patient: Duration { .seconds(3600) }
}

extension Timeouts {
    /// Returns time limits that no test reaches, except for the limits that the test passes.
    package static func patient(
        connect: Duration? = .patient,
        connection: Duration? = .patient,
        firstByte: Duration? = .patient,
        idle: Duration? = .patient,
        call: Duration? = nil
    ) -> Timeouts { Timeouts(connect: connect, connection: connection, firstByte: firstByte, idle: idle, call: call) }
}

extension Client.Configuration {
    /// The defaults, but with time limits that no test reaches, and without PINGs of HTTP/2.
    package static var patient: Client.Configuration {
        var configuration = Client.Configuration()
        configuration.timeouts = .patient()
        configuration.pool.idleTimeout = .patient
        configuration.http2KeepAlive = nil
        return configuration
    }
}

extension WebSocketOptions {
    /// The defaults, but with time limits that no test reaches.
    package static var patient: WebSocketOptions { .patient { _ in } }

    /// Returns options with time limits that no test reaches, except for the limits that the closure sets.
    package static func patient(_ change: (inout WebSocketOptions) -> Void) -> WebSocketOptions {
        var options = WebSocketOptions(pongTimeout: .patient, sendTimeout: .patient, closeTimeout: .patient)
        change(&options)
        return options
    }
}
