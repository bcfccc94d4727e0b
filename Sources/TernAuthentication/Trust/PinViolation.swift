// SPDX-License-Identifier: Apache-2.0

/// Why pins cannot be used as they are written.
public enum PinViolation: Error, Hashable, Sendable {
    /// A pin is not a SHA-256 digest: 32 bytes, or these in base64.
    case malformedPin
    /// A set has no pin at all.
    case noPin
    /// A set has no backup pin, so that the loss of one key would lock all users out (RFC 7469 §4.3).
    case noBackupPin
    /// A backup pin is among the pins, so that it is no backup.
    case backupInUse
    /// The host of a set is empty.
    case noHost
}

extension PinViolation: CustomStringConvertible {
    /// What is wrong, in a few words.
    public var description: String {
        switch self {
        case .malformedPin: "a pin is not the SHA-256 of a key, in base64"
        case .noPin: "a set of pins has no pin"
        case .noBackupPin: "a set of pins has no backup pin"
        case .backupInUse: "a backup pin is also in use"
        case .noHost: "a set of pins has no host"
        }
    }
}
