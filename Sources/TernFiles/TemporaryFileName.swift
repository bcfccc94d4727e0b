// SPDX-License-Identifier: Apache-2.0

/// The format of temporary names: the names of files that a process writes, and then renames within the same folder.
///
/// Such a name is hidden, and no other program uses its format.
///
/// An example is `.photo.jpg.tern-0123456789abc.part`: as much of the final name as fits, and 13 random digits.
package struct TemporaryFileName: Sendable {
    private static let suffix = ".part"
    /// The number of random digits: 64 random bits need 13 digits in base 36.
    private static let digitCount = 13

    private let prefix: String

    /// Creates the format of the temporary names for a final name.
    ///
    /// - Parameters:
    ///   - name: The final name.
    ///   - maximumByteCount: The maximum length of a name in the folder, in bytes.
    package init(for name: String, maximumByteCount: Int) {
        let form = (before: ".", behind: ".tern-")
        let rest = form.before.utf8.count + form.behind.utf8.count + Self.digitCount + Self.suffix.utf8.count
        self.prefix = form.before + name.prefix(utf8Count: maximumByteCount - rest) + form.behind
    }

    /// Returns a temporary name with new random digits.
    package func make() -> String {
        let digits = String(UInt64.random(in: .min ... .max), radix: 36)
        return self.prefix + String(repeating: "0", count: Self.digitCount - digits.utf8.count) + digits + Self.suffix
    }

    /// Returns whether a name is a temporary name in this format.
    package func matches(_ name: String) -> Bool {
        // Compare bytes, because two `String`s may be equal and have different bytes.
        let (bytes, prefix, suffix) = (Array(name.utf8), self.prefix.utf8, Self.suffix.utf8)
        guard bytes.count == prefix.count + Self.digitCount + suffix.count, bytes.starts(with: prefix),
            bytes.suffix(suffix.count).elementsEqual(suffix)
        else { return false }
        return bytes[prefix.count...].prefix(Self.digitCount).allSatisfy { 0x30...0x39 ~= $0 || 0x61...0x7A ~= $0 }
    }

    /// Deletes the abandoned files in a folder: those of this user whose names have this format and that no process has
    /// locked.
    ///
    /// Processes that ended while they wrote have left these files behind. See ``OpenFolder/isAbandoned(_:)`` for disks
    /// without locks.
    package func deleteAbandoned(in folder: borrowing OpenFolder) {
        for name in folder.names where self.matches(name) { folder.deleteIfAbandoned(name) }
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
