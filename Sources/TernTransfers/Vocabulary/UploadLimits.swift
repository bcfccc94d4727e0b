// SPDX-License-Identifier: Apache-2.0

/// The limits that a server sets for an upload, as it sent them in `Upload-Limit` or `Tus-Max-Size`.
///
/// A limit that the server did not send is `nil`. The lifetime (`max-age`) is not among the limits: the dialect turns
/// it into a date.
package struct UploadLimits: Hashable, Sendable {
    /// The maximum length of the file, in bytes (`max-size`).
    package var maximumByteCount: Int64?
    /// The minimum length of the file, in bytes (`min-size`).
    package var minimumByteCount: Int64?
    /// The maximum length of the content of one request, in bytes (`max-append-size`).
    package var maximumPartByteCount: Int64?
    /// The minimum length of the content of one request, in bytes (`min-append-size`).
    ///
    /// The content of a request that completes the upload may be shorter.
    package var minimumPartByteCount: Int64?

    /// Creates limits.
    ///
    /// - Parameters:
    ///   - maximumByteCount: The maximum length of the file, in bytes. Defaults to `nil`: there is no limit.
    ///   - minimumByteCount: The minimum length of the file, in bytes. Defaults to `nil`.
    ///   - maximumPartByteCount: The maximum length of the content of one request, in bytes. Defaults to `nil`.
    ///   - minimumPartByteCount: The minimum length of the content of one request, in bytes. Defaults to `nil`.
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

    /// Whether no limit is negative.
    var isValid: Bool {
        [self.maximumByteCount, self.minimumByteCount, self.maximumPartByteCount, self.minimumPartByteCount]
            .allSatisfy { $0 ?? 0 >= 0 }
    }

    /// Replaces the limits that a later response names.
    mutating func merge(_ later: UploadLimits) {
        self.maximumByteCount = later.maximumByteCount ?? self.maximumByteCount
        self.minimumByteCount = later.minimumByteCount ?? self.minimumByteCount
        self.maximumPartByteCount = later.maximumPartByteCount ?? self.maximumPartByteCount
        self.minimumPartByteCount = later.minimumPartByteCount ?? self.minimumPartByteCount
    }
}
