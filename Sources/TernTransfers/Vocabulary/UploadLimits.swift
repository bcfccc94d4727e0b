// SPDX-License-Identifier: Apache-2.0

/// The limits that a server sent for an upload in `Upload-Limit` or `Tus-Max-Size`, without the lifetime (`max-age`), which the
/// dialect turns into a date.
package struct UploadLimits: Hashable, Sendable {
    /// `max-size`.
    package var maximumByteCount: Int64?
    /// `min-size`.
    package var minimumByteCount: Int64?
    /// `max-append-size`: the maximum length of the content of one request.
    package var maximumPartByteCount: Int64?
    /// `min-append-size`; the content of a request that completes the upload may be shorter.
    package var minimumPartByteCount: Int64?

    package init(
        maximumByteCount: Int64? = nil,
        minimumByteCount: Int64? = nil,
        maximumPartByteCount: Int64? = nil,
        minimumPartByteCount: Int64? = nil
    ) {
        self.maximumByteCount = maximumByteCount
        self.minimumByteCount = minimumByteCount
        self.maximumPartByteCount = maximumPartByteCount
        self.minimumPartByteCount = minimumPartByteCount
    }

    var isValid: Bool {
        [self.maximumByteCount, self.minimumByteCount, self.maximumPartByteCount, self.minimumPartByteCount]
            .allSatisfy { $0 ?? 0 >= 0 }
    }

    mutating func merge(_ later: UploadLimits) {
        self.maximumByteCount = later.maximumByteCount ?? self.maximumByteCount
        self.minimumByteCount = later.minimumByteCount ?? self.minimumByteCount
        self.maximumPartByteCount = later.maximumPartByteCount ?? self.maximumPartByteCount
        self.minimumPartByteCount = later.minimumPartByteCount ?? self.minimumPartByteCount
    }
}
