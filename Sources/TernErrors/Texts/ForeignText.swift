// SPDX-License-Identifier: Apache-2.0

/// Texts in errors that a server, a user or a library wrote.
///
/// They are shown in descriptions, which go into logs. Another party must choose neither how long a line of a log is nor where
/// it ends, and a secret that stands where a word was expected must not be repeated.
package enum ForeignText {
    /// How many Unicode scalars of a text are shown: more than a host name has, which is at most 253.
    package static let maximumLength = 256

    /// The beginning of a text, on one line; an ellipsis stands for the rest.
    ///
    /// It is cut between words where there are some.
    ///
    /// - Parameters:
    ///   - text: the text.
    ///   - length: how many Unicode scalars of it are shown. Defaults to ``maximumLength``.
    /// - Returns: the text, if it is short and plain.
    package static func shown(_ text: String, length: Int = ForeignText.maximumLength) -> String {
        let beginning = text.unicodeScalars.prefix(length)
        let isWhole = beginning.endIndex == text.unicodeScalars.endIndex
        if isWhole, beginning.allSatisfy(self.isPlain) { return text }
        var shown = String.UnicodeScalarView(beginning.map { self.isPlain($0) ? $0 : "?" })
        guard !isWhole else { return String(shown) }
        // A word that is longer than a quarter of it all is no word.
        if let blank = shown.suffix(length / 4).lastIndex(of: " ") { shown = .init(shown[..<blank]) }
        return String(shown) + "…"
    }

    /// Whether a scalar neither ends a line nor changes how others are shown.
    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return scalar.value >= 0x20 && scalar.value != 0x7F }
        return switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: false
        default: true
        }
    }

    // MARK: Schemes

    /// Schemes that people and servers write by mistake; none of them can be a secret.
    private static let schemes: Set<String> = [
        "about", "blob", "data", "file", "ftp", "ftps", "git", "http", "https", "imap", "irc", "javascript", "ldap",
        "mailto", "rtsp", "sftp", "smtp", "socks", "socks4", "socks4a", "socks5", "socks5h", "ssh", "tcp", "tel", "tls",
        "unix", "urn", "ws", "wss",
    ]

    /// A scheme in lower case, if it is a well-known one; empty if not.
    ///
    /// What stands before a colon may be the beginning of a secret that was put where a URL belongs: `token:…`.
    package static func scheme(_ name: String) -> String {
        guard name.utf8.count <= 16 else { return "" }
        let lowercased = name.lowercased()
        return self.schemes.contains(lowercased) ? lowercased : ""
    }
}
