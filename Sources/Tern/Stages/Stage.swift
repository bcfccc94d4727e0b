// SPDX-License-Identifier: Apache-2.0
import TernTransport

/// A concern of the client's own.
protocol Stage: Interceptor {
    /// Whether it has nothing to do for a request without options: then such calls pass it by, and cost nothing.
    var isIdle: Bool { get }
}

extension Stage {
    var isIdle: Bool { false }
}
