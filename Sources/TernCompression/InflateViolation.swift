// SPDX-License-Identifier: Apache-2.0

/// Why data cannot be decompressed.
///
/// Closed on purpose. No case holds received bytes, so a violation is safe to log.
public enum InflateViolation: Error, Hashable, Sendable {
    /// The data breaks a rule of its format, or does not have the check value or length that it says.
    ///
    /// The message is zlib's own text, such as "invalid block type", and may change with its version.
    case corrupt(message: String)
    /// The data can only be read by who has the dictionary that it was compressed with.
    case needsDictionary
    /// There is no memory for the window, which is only taken once there is something to remember.
    case outOfMemory

    /// The document and section that state the rule, such as `"RFC 1951 §3.2"`.
    public var section: String {
        switch self {
        case .corrupt: "RFC 1951 §3.2"
        case .needsDictionary: "RFC 1950 §2.2"
        case .outOfMemory: "RFC 1951 §2"
        }
    }

    /// What was wrong, in one sentence; never holds received bytes, and its wording may change.
    public var reason: String {
        switch self {
        case .corrupt(let message): "The compressed data is corrupt: \(message)."
        case .needsDictionary: "The compressed data needs a preset dictionary."
        case .outOfMemory: "There is not enough memory to decompress."
        }
    }
}

extension InflateViolation: CustomStringConvertible {
    /// The reason, then the section.
    public var description: String { "\(self.reason) (\(self.section))" }
}
