// SPDX-License-Identifier: Apache-2.0

/// That a request's body is compressed with gzip, and when.
public struct RequestCompression: Hashable, Sendable {
    /// The length from which on a body is compressed, in bytes; 1024 by default, because less fits one packet anyway.
    public var minimumByteCount: Int

    /// Creates the default settings, or others.
    public init(minimumByteCount: Int = 1024) { self.minimumByteCount = minimumByteCount }
}
