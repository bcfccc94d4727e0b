// SPDX-License-Identifier: Apache-2.0

/// Makes foreign texts safe for the descriptions of errors, which go into logs.
///
/// A foreign text comes from a server, a user or a library. Its writer must not control the length of a log line or
/// where the line ends. A text may also be a secret that the program passed by mistake, so ``scheme(_:)`` shows only
/// well-known words.
package enum ForeignText {
    /// The maximum number of Unicode scalars to show of a text.
    ///
    /// The number exceeds 253, the length of the longest host name.
    package static let maximumLength = 256

    /// Returns the beginning of a text, on one line.
    ///
    /// An ellipsis stands for the rest, and a question mark for each control character. If possible, the text is cut
    /// between words.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - length: The number of Unicode scalars to show. Defaults to ``maximumLength``.
    /// - Returns: The shortened text, or the text itself if it is short and has no control characters.
    package static func shown(_ text: String, length: Int = ForeignText.maximumLength) -> String {
        let beginning = text.unicodeScalars.prefix(length)
        let isWhole = beginning.endIndex == text.unicodeScalars.endIndex
        if isWhole, beginning.allSatisfy(self.isPlain) { return text }
        var shown = String.UnicodeScalarView(beginning.map { self.isPlain($0) ? $0 : "?" })
        guard !isWhole else { return String(shown) }
        // Cut between words, but cut within a word that is longer than a quarter of the limit.
        if let blank = shown.suffix(length / 4).lastIndex(of: " ") { shown = .init(shown[..<blank]) }
        return String(shown) + "…"
    }

    /// Returns whether a scalar can be shown as it is: `false` if it ends a line or changes how other scalars are
    /// shown.
    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return scalar.value >= 0x20 && scalar.value != 0x7F }
        return switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: false
        default: true
        }
    }

    // MARK: Schemes

    /// Schemes that people and servers write by mistake; a description may repeat them, because none is part of a
    /// secret.
    private static let schemes: Set<String> = [
        "about", "blob", "data", "file", "ftp", "ftps", "git", "http", "https", "imap", "irc", "javascript", "ldap",
        "mailto", "rtsp", "sftp", "smtp", "socks", "socks4", "socks4a", "socks5", "socks5h", "ssh", "tcp", "tel", "tls",
        "unix", "urn", "ws", "wss",
    ]

    /// Returns a well-known scheme in lower case, or an empty string for any other scheme.
    ///
    /// If a program passes a secret such as `token:…` instead of a URL, the text before the colon is part of the
    /// secret.
    package static func scheme(_ name: String) -> String {
        guard name.utf8.count <= 16 else { return "" }
        let lowercased = name.lowercased()
        return self.schemes.contains(lowercased) ? lowercased : ""
    }
}
