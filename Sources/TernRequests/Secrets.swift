// SPDX-License-Identifier: Apache-2.0

/// Guesses by its name what is a secret, and errs on the side of hiding.
enum Secrets {
    /// What stands in place of a secret.
    static let mask = "***"

    /// Parts of names, in lower case; `auth` covers `Authorization` and `Proxy-Authorization`, `cookie` `Set-Cookie`.
    private static let tellingParts = [
        "auth", "cookie", "token", "secret", "key", "passw", "pwd", "credential", "signature", "session", "jwt",
    ]
    /// Whole names that tell, but whose text is too common to look for inside others.
    private static let tellingNames: Set<String> = ["code", "sig", "pass", "state"]

    /// Whether the value of a field or of a query item with this name should not be shown.
    static func areHeld(by name: String) -> Bool {
        let name = name.lowercased()
        return self.tellingNames.contains(name) || self.tellingParts.contains { name.contains($0) }
    }

    /// The text of a URL with its user, its password and the values of telling query items masked.
    ///
    /// The fragment is left out: it is never sent (RFC 9110 §4.2.4), and may be a token (RFC 6749 §4.2.2).
    static func masked(url: String) -> String {
        let text = url.prefix { $0 != "#" }
        let halves = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let upToPath = self.maskedUserInfo(String(halves.first ?? ""))
        guard halves.count > 1 else { return upToPath }
        let items = halves[1].split(separator: "&", omittingEmptySubsequences: false)
        return "\(upToPath)?\(items.map(self.maskedItem).joined(separator: "&"))"
    }

    /// The user is masked together with the password: many services take a token in its place.
    private static func maskedUserInfo(_ text: String) -> String {
        guard let authority = text.firstRange(of: "://") else { return text }
        let rest = text[authority.upperBound...]
        let end = rest.firstIndex { $0 == "/" } ?? rest.endIndex
        guard let at = rest[..<end].lastIndex(of: "@") else { return text }
        return "\(text[..<authority.upperBound])\(self.mask)\(rest[at...])"
    }

    private static func maskedItem(_ item: Substring) -> String {
        guard let equals = item.firstIndex(of: "=") else { return String(item) }
        let name = Array(item[..<equals].utf8)
        return self.areHeld(by: PercentEncoding.decode(name.span)) ? "\(item[...equals])\(self.mask)" : String(item)
    }
}
