// SPDX-License-Identifier: Apache-2.0
public import TernFoundation

/// The reason that encoded content cannot be decoded; no case contains received bytes, so it is safe to log.
@nonexhaustive
public enum ContentViolation: Error, Hashable, Sendable {
    /// The data breaks a rule of its format, or does not match its check value or length; the message may be empty.
    ///
    /// Brotli data with bytes after its end, and Zstandard data that needs a dictionary or a window beyond 8 MiB, are corrupt, too.
    case corrupt(message: String)
    /// The content ended inside the compressed data.
    case truncated
    /// Unexpected bytes follow gzip or `deflate` data, such as bytes that do not begin another gzip member.
    case trailingData
    /// The `deflate` data needs a preset dictionary, which the client does not have.
    case needsDictionary
    /// The decompressed content is longer than `maximumByteCount` of ``InflationLimits``.
    case tooLong(limit: Int64)
    /// The ratio of decompressed to compressed bytes so far is higher than `maximumRatio` of ``InflationLimits``.
    case ratioExceeded(limit: Int)
    /// There is not enough memory to decompress the content.
    case outOfMemory

    init(_ violation: InflateViolation) {
        switch violation {
        case .corrupt(let message): self = .corrupt(message: message)
        case .needsDictionary: self = .needsDictionary
        case .outOfMemory: self = .outOfMemory
        }
    }

    /// A related document and section, such as `"RFC 1952 §2.2"`.
    public var section: String {
        switch self {
        case .corrupt, .truncated: "RFC 9110 §8.4.1"
        case .trailingData: "RFC 1952 §2.2"
        case .needsDictionary: "RFC 1950 §2.2"
        case .tooLong, .ratioExceeded: "RFC 9110 §17.5"
        case .outOfMemory: "RFC 1951 §2"
        }
    }

    /// A sentence that describes the violation without received bytes; its wording may change.
    public var reason: String {
        switch self {
        case .corrupt(""): "The compressed content is corrupt."
        case .corrupt(let message): "The compressed content is corrupt: \(message)."
        case .truncated: "The compressed content is incomplete."
        case .trailingData: "Unexpected bytes follow the compressed content."
        case .needsDictionary: "The compressed content needs a preset dictionary, which the client does not have."
        case .tooLong(let limit): "The decompressed content is longer than \(limit) bytes."
        case .ratioExceeded(let limit):
            "The decompressed content is more than \(limit) times as long as the compressed content."
        case .outOfMemory: "The decompression of the content needs more memory than the client has."
        }
    }
}

extension ContentViolation: CustomStringConvertible {
    /// The reason, followed by the section.
    public var description: String { "\(self.reason) (\(self.section))" }
}

extension ContentViolation: LocalizedError {
    /// One English sentence that an app may show; its wording may change.
    public var errorDescription: String? {
        if case .corrupt = self { "The compressed content is corrupt." } else { self.reason }
    }
}
