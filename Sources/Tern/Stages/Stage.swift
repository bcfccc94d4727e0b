// SPDX-License-Identifier: Apache-2.0
import TernTransport

/// A concern of the client's own.
protocol Stage: Interceptor {
    /// Whether the client's settings do not ask for it: then calls that do not either pass it by, and pay nothing.
    var isIdle: Bool { get }

    /// Whether a call asks for it, though the client's settings do not.
    func isNeeded(by call: HTTPCall) -> Bool
}

extension Stage {
    var isIdle: Bool { false }

    func isNeeded(by call: HTTPCall) -> Bool { true }
}
