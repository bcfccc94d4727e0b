// SPDX-License-Identifier: Apache-2.0

/// The choice whether to compress one message, which has an effect only if compression was negotiated.
@nonexhaustive
public enum MessageCompression: Hashable, Sendable {
    /// Compresses, except very short messages, until this no longer clearly saves bytes; then pauses, and tries again at intervals.
    case automatic
    /// Compresses, even if the message does not become shorter.
    case always
    /// Never compresses, for data that is compressed already.
    ///
    /// Also use it for a message that contains a secret and text that an attacker may choose: the compressed length could reveal
    /// the secret (RFC 7692 §8).
    case never
}
