// SPDX-License-Identifier: Apache-2.0

/// The choice whether to compress one message.
///
/// The choice has an effect only if compression was negotiated.
@nonexhaustive
public enum MessageCompression: Hashable, Sendable {
    /// Compresses as long as recent messages became shorter. Otherwise stops compressing, and tries again now and then.
    case automatic
    /// Always compresses.
    case always
    /// Never compresses. Use this case for data that is compressed already. Also use it for a message that contains a
    /// secret and text that an attacker may choose: the compressed length could reveal the secret (RFC 7692 §8).
    case never
}
