// SPDX-License-Identifier: Apache-2.0

/// Makes texts of a server, a user or a library safe for logs: their writers must not control where a line ends.
package enum ForeignText {
    /// The maximum length of a text of others in the description of an error, in Unicode scalars; the longest host name has 253.
    ///
    /// Beyond it, the text is shortened.
    package static let maximumLength = 256

    /// Returns a text, or its beginning and an ellipsis if it is too long, with a question mark for each control character.
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

    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return scalar.value >= 0x20 && scalar.value != 0x7F }
        return switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: false
        default: true
        }
    }

    // MARK: Schemes

    /// Schemes that people and servers write by mistake; none is part of a secret.
    private static let schemes: Set<String> = [
        "about", "blob", "data", "file", "ftp", "ftps", "git", "http", "https", "imap", "irc", "javascript", "ldap",
        "mailto", "rtsp", "sftp", "smtp", "socks", "socks4", "socks4a", "socks5", "socks5h", "ssh", "tcp", "tel", "tls",
        "unix", "urn", "ws", "wss",
    ]

    /// Returns a well-known scheme in lower case, or an empty string: the text before a colon may be part of a secret.
    package static func scheme(_ name: String) -> String {
        guard name.utf8.count <= 16 else { return "" }
        let lowercased = name.lowercased()
        return self.schemes.contains(lowercased) ? lowercased : ""
    }
}
