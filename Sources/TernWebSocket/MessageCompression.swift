// SPDX-License-Identifier: Apache-2.0

/// Whether to compress one message, where compression was negotiated.
@nonexhaustive
public enum MessageCompression: Hashable, Sendable {
    /// As experience has it: compresses, unless the messages of late did not shrink, and tries again now and then.
    case automatic
    /// Compresses.
    case always
    /// Does not compress: for what is compressed already, and for secrets beside text that others choose (RFC 7692 §8).
    case never
}
