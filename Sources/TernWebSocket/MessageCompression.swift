// SPDX-License-Identifier: Apache-2.0

/// Whether to compress one message, if compression was negotiated.
@nonexhaustive
public enum MessageCompression: Hashable, Sendable {
    /// Compresses while that pays: stops when recent messages did not shrink, and tries again now and then.
    case automatic
    /// Always compresses.
    case always
    /// Never compresses. Use it for data that is compressed already, and for secrets that are sent together with text
    /// that others choose (RFC 7692 §8).
    case never
}
