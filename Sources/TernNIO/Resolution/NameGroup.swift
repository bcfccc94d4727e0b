// SPDX-License-Identifier: Apache-2.0

/// The names below a registrable domain, which probably have one owner, and so the same name servers.
///
/// This type guesses the domain by the lengths of its labels, not with a list of public suffixes: a wrong guess is harmless.
struct NameGroup: Hashable, Sendable {
    private let suffix: String

    /// The last two labels, such as `example.com`, or three, such as `example.co.uk`.
    init(of name: String) {
        let labels = Array(name.lowercased().split(separator: ".").suffix(3))
        let hasLongSuffix = labels.count == 3 && labels[1].utf8.count <= 3 && labels[2].utf8.count == 2
        self.suffix = labels.suffix(hasLongSuffix ? 3 : 2).joined(separator: ".")
    }
}
