// SPDX-License-Identifier: Apache-2.0
import TernTransport

/// A built-in interceptor of the client.
protocol Stage: Interceptor {
    /// Whether the client's configuration does not use this stage, so that a call skips it unless its request needs it.
    var isIdle: Bool { get }

    /// Returns whether the request of a call needs this stage, although the client's configuration does not use it.
    func isNeeded(by call: HTTPCall) -> Bool
}

extension Stage {
    var isIdle: Bool { false }

    func isNeeded(by call: HTTPCall) -> Bool { true }
}
