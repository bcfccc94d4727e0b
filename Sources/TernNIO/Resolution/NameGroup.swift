// SPDX-License-Identifier: Apache-2.0

/// The names that probably have one owner, and so the same name servers: those below a registrable domain.
///
/// The group is found by the lengths of labels and not by a list of the public suffixes, because a wrong group is
/// harmless: its names share, or do not share, a part of the threads for look-ups.
struct NameGroup: Hashable, Sendable {
    private let suffix: String

    /// Creates the group of a host name: its last two labels, such as `example.com`, or three, such as
    /// `example.co.uk`.
    init(of name: String) {
        let labels = Array(name.lowercased().split(separator: ".").suffix(3))
        let hasLongSuffix = labels.count == 3 && labels[1].utf8.count <= 3 && labels[2].utf8.count == 2
        self.suffix = labels.suffix(hasLongSuffix ? 3 : 2).joined(separator: ".")
    }
}
