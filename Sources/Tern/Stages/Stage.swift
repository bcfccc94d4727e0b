// SPDX-License-Identifier: Apache-2.0
import TernTransport

/// A built-in interceptor of the client.
protocol Stage: Interceptor {
    /// Whether the stage is idle, because the client's configuration does not use it.
    ///
    /// A call skips an idle stage at no cost, unless its own request needs the stage.
    var isIdle: Bool { get }

    /// Returns whether a call needs this stage although the client's configuration does not use it.
    func isNeeded(by call: HTTPCall) -> Bool
}

extension Stage {
    var isIdle: Bool { false }

    func isNeeded(by call: HTTPCall) -> Bool { true }
}
