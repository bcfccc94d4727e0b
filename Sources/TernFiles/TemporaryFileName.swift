// SPDX-License-Identifier: Apache-2.0

/// The format of the hidden names of files that a process writes, and then renames within the same folder.
///
/// An example is `.photo.jpg.tern-0123456789abc.part`: as much of the final name as fits, and 13 random digits.
package struct TemporaryFileName: Sendable {
    private static let (start, mark, suffix) = (".", ".tern-", ".part")
    /// 64 random bits need 13 digits in base 36.
    private static let digitCount = 13

    private let prefix: String

    /// Creates the format for a final name; `maximumByteCount` is the maximum length of a name in the folder.
    package init(for name: String, maximumByteCount: Int) {
        let rest = Self.start.utf8.count + Self.mark.utf8.count + Self.digitCount + Self.suffix.utf8.count
        self.prefix = Self.start + name.prefix(utf8Count: maximumByteCount - rest) + Self.mark
    }

    package func make() -> String {
        let digits = String(UInt64.random(in: .min ... .max), radix: 36)
        return self.prefix + String(repeating: "0", count: Self.digitCount - digits.utf8.count) + digits + Self.suffix
    }

    package func matches(_ name: String) -> Bool {
        // Compare bytes, because two `String`s may be equal and have different bytes.
        Self.prefix(of: name)?.elementsEqual(self.prefix.utf8) ?? false
    }

    /// Returns the part before the digits; `nil` if the name is not a temporary name.
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

    /// Deletes the files for this final name that ended processes of this user have left; see ``OpenFolder/isAbandoned(_:)``.
    package func deleteAbandoned(in folder: borrowing OpenFolder) {
        for name in folder.names where self.matches(name) { folder.deleteIfAbandoned(name) }
    }

    /// Deletes the abandoned files in a folder for all final names.
    package static func deleteAllAbandoned(in folder: borrowing OpenFolder) {
        for name in folder.names where self.prefix(of: name) != nil { folder.deleteIfAbandoned(name) }
    }
}

extension String {
    /// Returns the longest beginning that fits, without cutting a character.
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
