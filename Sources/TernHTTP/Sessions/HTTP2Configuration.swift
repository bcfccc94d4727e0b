// SPDX-License-Identifier: Apache-2.0
package import TernHTTP2
package import TernTransport

package struct HTTP2Configuration: Hashable, Sendable {
    package var limits = HTTP2Limits()
    package var flow = FlowPolicy()
    /// The settings for detecting a silent server; `nil` sends no PING for that.
    package var keepAlive: HTTP2KeepAlive? = HTTP2KeepAlive()

    package init() {}

    package init(_ limits: HeadLimits, keepAlive: HTTP2KeepAlive? = HTTP2KeepAlive()) {
        self.keepAlive = keepAlive
        self.limits.maximumFieldListByteCount = limits.maximumByteCount
        let (doubled, overflows) = limits.maximumByteCount.multipliedReportingOverflow(by: 2)
        self.limits.maximumDecodedFieldListByteCount = overflows ? limits.maximumByteCount : doubled
        self.limits.maximumFieldCount = limits.maximumFieldCount
    }
}
