// SPDX-License-Identifier: Apache-2.0

/// The limits for the heads of responses; the byte count is that of Chrome.
package struct HeadLimits: Hashable, Sendable {
    package var maximumByteCount = 256 << 10
    package var maximumFieldCount = 1000

    package init() {}
}
