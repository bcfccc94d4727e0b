// SPDX-License-Identifier: Apache-2.0

/// The limits for the heads of responses, in any version of HTTP.
package struct HeadLimits: Hashable, Sendable {
    /// The maximum length of a head, in bytes.
    ///
    /// Defaults to 256 KiB, like Chrome.
    package var maximumByteCount = 256 << 10
    /// The maximum number of fields in a head or in a trailer section.
    ///
    /// Defaults to 1,000.
    package var maximumFieldCount = 1000

    /// Creates the default limits.
    package init() {}
}
