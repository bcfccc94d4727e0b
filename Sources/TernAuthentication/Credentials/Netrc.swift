// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

internal import TernRequests

/// The names and passwords of a `.netrc` file, by host.
///
/// The file is a list of words. `machine` and a host, or `default`, begin an entry; `login`, `password` and `account`,
/// each with a value, belong to the entry before them; `macdef` begins a macro of FTP, which is skipped up to an empty
/// line. A number sign in place of a keyword begins a comment, up to the end of the line. A value in quotes may hold
/// blanks, and the escapes `\"`, `\\`, `\n`, `\r` and `\t`, as in curl.
public struct Netrc: Sendable {
    /// What is known of a host.
    struct Entry: Hashable, Sendable {
        /// `nil` for `default`.
        var host: String?
        var user: String?
        var password: String?
    }

    private let entries: [Entry]

    /// Reads the text of a file.
    ///
    /// - Parameter text: the text; at most 128 KiB, as in curl.
    /// - Throws: ``NetrcError`` at the first word that is out of place: half a file of passwords is a trap.
    /// - Complexity: O(*n*) in the length of the text.
    public init(parsing text: String) throws(NetrcError) {
        guard text.utf8.count <= NetrcParser.maximumByteCount else {
            throw .tooLong(limit: NetrcParser.maximumByteCount)
        }
        var parser = NetrcParser(Array(text.utf8))
        self.entries = try parser.readEntries()
    }

    /// The name and password for a host.
    ///
    /// The first entry counts that has the host, the name if one is asked for, and a password; `default` stands for any
    /// host. An entry without a name has that which is asked for.
    ///
    /// - Parameters:
    ///   - host: a name or an address, compared without case; an IPv6 address in any form, without its brackets.
    ///   - user: the name, if it is known, as from a URL; any by default.
    /// - Returns: `nil` if there is no such entry.
    public func entry(forHost host: String, user: String? = nil) -> (user: String, password: String)? {
        let host = Origin.canonicalHost(host)
        for entry in self.entries where entry.host == nil || entry.host == host {
            guard let password = entry.password, let name = entry.user ?? user else { continue }
            if let user, user != name { continue }
            return (name, password)
        }
        return nil
    }
}

extension Netrc: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// How many entries it has, and none of them.
    public var description: String { "Netrc of \(self.entries.count) (\(FieldText.mask))" }

    /// The same.
    public var debugDescription: String { self.description }

    /// Shows nothing to `dump`.
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

/// What is wrong with a `.netrc` file; lines count from 1.
///
/// Every case is one rule. No case holds a word of the file, so a violation is safe to log.
@nonexhaustive
public enum NetrcError: Error, Hashable, Sendable {
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

extension NetrcError: CustomStringConvertible {
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

extension NetrcError: LocalizedError {
    /// One English sentence that an app may show; its wording is not stable.
    public var errorDescription: String? { self.description }
}
