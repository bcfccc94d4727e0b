// SPDX-License-Identifier: Apache-2.0
package import TernHTTP1
package import TernHTTP2

/// The settings of connections that use HTTP/2.
package struct HTTP2Configuration: Hashable, Sendable {
    /// The limits for what a server may send.
    package var limits = HTTP2Limits()
    /// The sizes of the receive windows.
    package var flow = FlowPolicy()
    /// The time of silence, while streams are open, after which the client asks the server whether it is still there.
    ///
    /// Defaults to 30 seconds. With `nil`, the client never asks. Within this time plus ``keepAliveTimeout``, the
    /// client detects a connection that was cut without notice. For comparison: gRPC can be configured to ask after 20
    /// seconds, and Go and OkHttp do not ask by default.
    package var keepAliveInterval: Duration? = .seconds(30)
    /// The time to wait for an answer before the connection counts as lost.
    ///
    /// Defaults to 15 seconds, as in Go.
    package var keepAliveTimeout: Duration = .seconds(15)
    /// Whether the client also asks while no stream is open.
    ///
    /// Defaults to `false`, which lets idle radios sleep; an idle connection is checked before its next use.
    package var keepsIdleConnectionsAlive = false

    /// Creates the default settings.
    package init() {}

    /// Creates settings that take the limits for heads from the limits of HTTP/1.1.
    package init(_ limits: HTTP1Limits) {
        self.limits.maximumFieldListByteCount = limits.maximumHeadByteCount
        self.limits.maximumDecodedFieldListByteCount = limits.maximumHeadByteCount * 2
        self.limits.maximumFieldCount = limits.maximumFieldCount
    }
}
