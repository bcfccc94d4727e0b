// SPDX-License-Identifier: Apache-2.0

/// The name of a file while it is written beside its place: hidden, and of a form that nothing else has.
///
/// `.photo.jpg.tern-0123456789abc.part`: the name of the place, as much of it as fits, and 13 random digits.
package struct PartialName: Sendable {
    private static let suffix = ".part"
    /// As many digits of base 36 as 64 bits need.
    private static let digitCount = 13

    private let prefix: String

    /// The form of the names for a place.
    ///
    /// - Parameters:
    ///   - name: the name of the place.
    ///   - maximumByteCount: how long a name may be there, in bytes.
    package init(for name: String, maximumByteCount: Int) {
        let form = (before: ".", behind: ".tern-")
        let rest = form.before.utf8.count + form.behind.utf8.count + Self.digitCount + Self.suffix.utf8.count
        self.prefix = form.before + name.prefix(utf8Count: maximumByteCount - rest) + form.behind
    }

    /// A new name.
    package func make() -> String {
        let digits = String(UInt64.random(in: .min ... .max), radix: 36)
        return self.prefix + String(repeating: "0", count: Self.digitCount - digits.utf8.count) + digits + Self.suffix
    }

    /// Whether a name is of this form.
    package func matches(_ name: String) -> Bool {
        // Bytes, since characters that are equal may be of other bytes.
        let (bytes, prefix, suffix) = (Array(name.utf8), self.prefix.utf8, Self.suffix.utf8)
        guard bytes.count == prefix.count + Self.digitCount + suffix.count, bytes.starts(with: prefix),
            bytes.suffix(suffix.count).elementsEqual(suffix)
        else { return false }
        return bytes[prefix.count...].prefix(Self.digitCount).allSatisfy { 0x30...0x39 ~= $0 || 0x61...0x7A ~= $0 }
    }

    /// Deletes the files of this form in a folder that no process holds: what processes left that were ended while they
    /// wrote.
    package func deleteAbandoned(in folder: borrowing OpenFolder) {
        for name in folder.names where self.matches(name) { folder.deleteIfAbandoned(name) }
    }
}

extension String {
    /// The first characters, as many as there are within a number of bytes.
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
