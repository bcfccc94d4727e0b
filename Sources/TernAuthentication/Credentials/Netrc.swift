// SPDX-License-Identifier: Apache-2.0
public import TernFoundation
internal import TernRequests
public import TernValues

/// The user names and passwords of a `.netrc` file, for each host.
///
/// An entry begins with `machine` and a host, or with `default`. `login`, `password` and `account` may follow, each with a value.
/// `macdef` begins a macro, which is skipped up to an empty line. A number sign in place of a keyword begins a comment. A value in
/// quotes may contain blanks and the escapes `\"`, `\\`, `\n`, `\r` and `\t`. As in curl, keywords may have any case, and unknown
/// words are skipped.
public struct Netrc: Sendable {
    struct Entry: Hashable, Sendable {
        /// `nil` for `default`.
        var host: String?
        var user: String?
        var password: String?
    }

    private let entries: [Entry]

    /// Parses the text of a file, in time O(*n*).
    ///
    /// - Parameter text: The text; at most 128 KiB.
    /// - Throws: ``NetrcError`` if the text is too long, if it ends before a keyword's value, if `login`, `password` or `account`
    ///   comes before the first entry, if a word in quotes is not closed, or if the text has unknown words but no entry.
    public init(parsing text: String) throws(NetrcError) {
        guard text.utf8.count <= NetrcParser.maximumByteCount else {
            throw .tooLong(limit: NetrcParser.maximumByteCount)
        }
        var parser = NetrcParser(Array(text.utf8))
        self.entries = try parser.readEntries()
    }

    /// Returns the user name and password of the first entry that fits a host and a user.
    ///
    /// `default` fits every host. An entry without a user name fits only if `user` is given, and one without a password never fits.
    ///
    /// - Parameters:
    ///   - host: A name or an address, compared without case. An IPv6 address may be in any form.
    ///   - user: The user name, if it is known, for example from a URL; `nil` for any.
    /// - Returns: The user name and password; `nil` if there is no such entry.
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
    /// The number of entries, without their content.
    public var description: String { "Netrc, entries: \(self.entries.count) (\(FieldText.mask))" }

    /// The same as ``description``.
    public var debugDescription: String { self.description }

    /// Shows no children to `dump`.
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

/// A problem with a `.netrc` file, safe to log; line numbers begin at 1.
@nonexhaustive
public enum NetrcError: Error, Hashable, Sendable {
    /// The file is longer than this number of bytes.
    case tooLong(limit: Int)
    /// The file has no entry, but has a word that is not a keyword: it is probably another kind of file.
    case unknownKeyword(line: Int)
    /// The file ends before the value of a keyword.
    case missingValue(line: Int)
    /// A `login`, `password` or `account` comes before the first entry.
    case valueWithoutEntry(line: Int)
    /// A word in quotes has no closing quote on its line.
    case unterminatedQuote(line: Int)
}

extension NetrcError: CustomStringConvertible, Described {
    package var wording: String {
        switch self {
        case .tooLong(let limit): "The .netrc file is longer than \(limit) bytes."
        case .unknownKeyword(let line): "Line \(line) of the .netrc file has an unknown keyword."
        case .missingValue(let line): "The keyword on line \(line) of the .netrc file has no value."
        case .valueWithoutEntry(let line):
            "The keyword on line \(line) of the .netrc file comes before the first machine or default entry."
        case .unterminatedQuote(let line): "A value on line \(line) of the .netrc file has no closing quote."
        }
    }
}

extension NetrcError: LocalizedError, Explained {
    package var sentence: String { self.wording }
}
