// SPDX-License-Identifier: Apache-2.0
internal import Crypto
public import TernFoundation
internal import TernRequests
public import TernValues

/// The reason that pins cannot be used.
@nonexhaustive
public enum PinError: Error, Hashable, Sendable {
    /// A pin is neither a SHA-256 digest of 32 bytes nor the base64 form of such a digest.
    case malformedPin
    /// A set has no pin in use.
    case noPin
    /// A set has no backup pin, so the loss of one key could lock out all users (RFC 7469 §4.3).
    case noBackupPin
    /// A backup pin is also one of the pins in use, so it is not a backup.
    case backupInUse
    /// A set names no host.
    case noHost
}

extension PinError: CustomStringConvertible, Described {
    package var wording: String {
        switch self {
        case .malformedPin: "a pin is not a SHA-256 digest, or not the base64 form of one"
        case .noPin: "a set of pins is empty"
        case .noBackupPin: "a set of pins has no backup pin; add one"
        case .backupInUse: "a set of pins has a backup pin that is also one of its pins in use"
        case .noHost: "a set of pins names no host"
        }
    }
}

extension PinError: LocalizedError, Explained {
    package var sentence: String {
        switch self {
        case .malformedPin: "A pin is not a SHA-256 digest, or not the base64 form of one."
        case .noPin: "A set of pins is empty."
        case .noBackupPin: "A set of pins has no backup pin; add one."
        case .backupInUse: "A set of pins has a backup pin that is also one of its pins in use."
        case .noHost: "A set of pins names no host."
        }
    }
}
