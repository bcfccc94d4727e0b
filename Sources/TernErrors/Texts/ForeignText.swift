// SPDX-License-Identifier: Apache-2.0

/// Texts in errors that a server, a user or a library wrote.
///
/// Descriptions contain these texts and go into logs. The other party must not control the length of a log line or
/// where it ends. A secret in a place where a word was expected must not be repeated.
package enum ForeignText {
    /// The maximum number of Unicode scalars to show of a text.
    ///
    /// It exceeds the longest host name, 253.
    package static let maximumLength = 256

    /// Returns the beginning of a text, on one line.
    ///
    /// An ellipsis stands for the rest.
    ///
    /// The text is cut between words if possible.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - length: The number of Unicode scalars to show. Defaults to ``maximumLength``.
    /// - Returns: The text itself, if it is short and plain.
    package static func shown(_ text: String, length: Int = ForeignText.maximumLength) -> String {
        let beginning = text.unicodeScalars.prefix(length)
        let isWhole = beginning.endIndex == text.unicodeScalars.endIndex
        if isWhole, beginning.allSatisfy(self.isPlain) { return text }
        var shown = String.UnicodeScalarView(beginning.map { self.isPlain($0) ? $0 : "?" })
        guard !isWhole else { return String(shown) }
        // A word that is longer than a quarter of the text is not really a word: cut it.
        if let blank = shown.suffix(length / 4).lastIndex(of: " ") { shown = .init(shown[..<blank]) }
        return String(shown) + "…"
    }

    /// Whether a scalar neither ends a line nor changes how other scalars are shown.
    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return scalar.value >= 0x20 && scalar.value != 0x7F }
        return switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: false
        default: true
        }
    }

    // MARK: Schemes

    /// Schemes that people and servers write by mistake; none of them can be part of a secret.
    private static let schemes: Set<String> = [
        "about", "blob", "data", "file", "ftp", "ftps", "git", "http", "https", "imap", "irc", "javascript", "ldap",
        "mailto", "rtsp", "sftp", "smtp", "socks", "socks4", "socks4a", "socks5", "socks5h", "ssh", "tcp", "tel", "tls",
        "unix", "urn", "ws", "wss",
    ]

    /// Returns a well-known scheme in lower case, or an empty string for any other scheme.
    ///
    /// The text before a colon may be the beginning of a secret in the place of a URL: `token:…`.
    package static func scheme(_ name: String) -> String {
        guard name.utf8.count <= 16 else { return "" }
        let lowercased = name.lowercased()
        return self.schemes.contains(lowercased) ? lowercased : ""
    }
}
