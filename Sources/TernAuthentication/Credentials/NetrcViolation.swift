// SPDX-License-Identifier: Apache-2.0

/// What is wrong with a `.netrc` file; lines count from 1.
///
/// Closed on purpose: every case is one rule. No case holds a word of the file, so a violation is safe to log.
public enum NetrcViolation: Error, Hashable, Sendable {
    /// The file is longer than this many bytes.
    case tooLong(limit: Int)
    /// A word stands where a keyword belongs, and is none.
    case unknownKeyword(line: Int)
    /// A keyword has no value behind it.
    case missingValue(line: Int)
    /// A `login`, `password` or `account` belongs to no entry.
    case valueWithoutEntry(line: Int)
    /// An entry follows `default`, which would hide it.
    case defaultNotLast(line: Int)
    /// A value in quotes does not end within its line.
    case unterminatedQuote(line: Int)
}

extension NetrcViolation: CustomStringConvertible {
    /// What is wrong and where, in one sentence; its wording may change.
    public var description: String {
        switch self {
        case .tooLong(let limit): "The file is longer than \(limit) bytes."
        case .unknownKeyword(let line): "Line \(line) has a word that is no keyword."
        case .missingValue(let line): "The keyword in line \(line) has no value."
        case .valueWithoutEntry(let line): "Line \(line) belongs to no machine."
        case .defaultNotLast(let line): "The entry in line \(line) follows the default."
        case .unterminatedQuote(let line): "The quote in line \(line) does not end."
        }
    }
}
