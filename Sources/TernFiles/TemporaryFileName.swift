// SPDX-License-Identifier: Apache-2.0

/// The format of temporary names: the names of files that a process writes, and then renames within the same folder.
///
/// Such a name is hidden, and no other program uses its format.
///
/// An example is `.photo.jpg.tern-0123456789abc.part`: as much of the final name as fits, and 13 random digits.
package struct TemporaryFileName: Sendable {
    private static let (start, mark, suffix) = (".", ".tern-", ".part")
    /// The number of random digits: 64 random bits need 13 digits in base 36.
    private static let digitCount = 13

    private let prefix: String

    /// Creates the format of the temporary names for a final name.
    ///
    /// - Parameters:
    ///   - name: The final name.
    ///   - maximumByteCount: The maximum length of a name in the folder, in bytes.
    package init(for name: String, maximumByteCount: Int) {
        let rest = Self.start.utf8.count + Self.mark.utf8.count + Self.digitCount + Self.suffix.utf8.count
        self.prefix = Self.start + name.prefix(utf8Count: maximumByteCount - rest) + Self.mark
    }

    /// Returns a temporary name with new random digits.
    package func make() -> String {
        let digits = String(UInt64.random(in: .min ... .max), radix: 36)
        return self.prefix + String(repeating: "0", count: Self.digitCount - digits.utf8.count) + digits + Self.suffix
    }

    /// Returns whether a name is a temporary name for this final name.
    package func matches(_ name: String) -> Bool {
        // Compare bytes, because two `String`s may be equal and have different bytes.
        Self.prefix(of: name)?.elementsEqual(self.prefix.utf8) ?? false
    }

    /// Returns the part of a temporary name before the digits; `nil` if the name is not a temporary name.
    private static func prefix(of name: String) -> Substring.UTF8View? {
        guard name.utf8.starts(with: self.start.utf8),
            name.utf8.suffix(self.suffix.utf8.count).elementsEqual(self.suffix.utf8)
        else { return nil }
        let rest = name.utf8.dropLast(self.suffix.utf8.count)
        let digits = rest.suffix(self.digitCount), prefix = rest.dropLast(self.digitCount)
        let isComplete = digits.count == self.digitCount && prefix.count >= self.start.utf8.count + self.mark.utf8.count
        guard isComplete, digits.allSatisfy({ 0x30...0x39 ~= $0 || 0x61...0x7A ~= $0 }),
            prefix.suffix(self.mark.utf8.count).elementsEqual(self.mark.utf8)
        else { return nil }
        return prefix
    }

    /// Deletes the abandoned files for this final name in a folder: those of this user that no process has locked.
    ///
    /// Processes that ended while they wrote have left these files behind. See ``OpenFolder/isAbandoned(_:)`` for disks
    /// without locks.
    package func deleteAbandoned(in folder: borrowing OpenFolder) {
        for name in folder.names where self.matches(name) { folder.deleteIfAbandoned(name) }
    }

    /// Deletes the abandoned files in a folder for all final names, as ``deleteAbandoned(in:)`` does for one.
    package static func deleteAllAbandoned(in folder: borrowing OpenFolder) {
        for name in folder.names where self.prefix(of: name) != nil { folder.deleteIfAbandoned(name) }
    }
}

extension String {
    /// Returns the longest beginning of the text that fits in a number of bytes, without cutting a character.
    package func prefix(utf8Count: Int) -> String {
        guard self.utf8.count > utf8Count else { return self }
        var rest = utf8Count
        return String(
            self.prefix { character in
                rest -= character.utf8.count
                return rest >= 0
            }
        )
    }
}
