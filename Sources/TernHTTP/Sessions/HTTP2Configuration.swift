// SPDX-License-Identifier: Apache-2.0
package import TernHTTP2
package import TernTransport

/// The settings of connections that use HTTP/2.
package struct HTTP2Configuration: Hashable, Sendable {
    /// The limits for what a server may send.
    package var limits = HTTP2Limits()
    /// The sizes of the receive windows.
    package var flow = FlowPolicy()
    /// The settings for detecting a server that has become silent; `nil` if the client sends no PING for that.
    ///
    /// Defaults to ``HTTP2KeepAlive/init(interval:timeout:pingsIdleConnections:)`` without arguments. An idle connection
    /// is checked before its next use in any case.
    package var keepAlive: HTTP2KeepAlive? = HTTP2KeepAlive()

    /// Creates the default settings.
    package init() {}

    /// Creates settings with these limits for heads.
    package init(_ limits: HeadLimits, keepAlive: HTTP2KeepAlive? = HTTP2KeepAlive()) {
        self.keepAlive = keepAlive
        self.limits.maximumFieldListByteCount = limits.maximumByteCount
        self.limits.maximumDecodedFieldListByteCount = limits.maximumByteCount * 2
        self.limits.maximumFieldCount = limits.maximumFieldCount
    }
}
