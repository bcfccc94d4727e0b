// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernFoundation

extension Request {
    /// Returns a curl command that sends nearly the same request, for a terminal or a report.
    ///
    /// In the command, `***` masks credentials, the user and the password of the URL, the values of sensitive fields such as
    /// `Authorization` and `Cookie`, and those of fields and query items whose names suggest a secret. Fill them in before you
    /// run the command.
    ///
    /// By default, curl reads bytes in memory and streams from standard input (`--data-binary @-`): they may contain a secret.
    /// For a file or an uncompressed form with files, the command names the files, and masks the form's fields. The command leaves
    /// out the client's settings, such as its default fields and its proxy, and a URL that cannot be sent.
    ///
    /// - Parameter includingBody: Whether the command contains text of at most 64 KiB, with any secret in it: a body in memory, or
    ///   a field of a form with files. Other fields stay masked. Other bodies in memory, streams and compressed forms with
    ///   files still come from standard input.
    /// - Returns: The command, quoted for a POSIX shell. If the client compresses the body, the command pipes it through `gzip`.
    public func curl(includingBody: Bool = false) -> String {
        let text = includingBody ? self.bodyText : nil
        var words = ["curl"]
        switch (self.method, self.body) {
        case (.get, nil): break
        case (.head, nil): words.append("--head")
        default: words += ["--request", self.method.rawValue]
        }
        words += self.options.curlArguments
        for field in self.curlFields { words += ["--header", self.headerLine(field)] }
        words += self.bodyArguments(text, includingBody)
        words.append(self.canSendURL ? Secrets.masked(url: self.url.absoluteString) : "")
        // Always quote the URL, as most people would.
        let command = words.dropLast().map { Self.quote($0) } + [Self.quote(words.last ?? "", isForced: true)]
        return (self.isCompressedByCurl ? "\(self.gzipCommand(text)) | " : "") + command.joined(separator: " ")
    }

    private var canSendURL: Bool {
        guard self.problems.url == nil else { return false }
        return (try? Destination(self.url)) != nil
    }

    private var curlFields: [HTTPField] {
        var fields = Array(self.effectiveFields)
        // When curl encodes a form itself, it chooses its own boundary, so the command must not contain Tern's.
        if self.isEncodedByCurl { fields.removeAll { $0.name == .contentType } }
        if self.isCompressedByCurl { fields.append(HTTPField(name: .contentEncoding, value: "gzip")) }
        return fields
    }

    private var isEncodedByCurl: Bool {
        if case .multipart? = self.body?.content { !self.isCompressedByCurl } else { false }
    }

    private var isCompressedByCurl: Bool {
        guard let compression = self.options.compression, let body = self.body else { return false }
        guard !self.fields.contains(.contentEncoding) else { return false }
        return body.length.map { $0 >= compression.minimumByteCount } ?? true
    }

    /// The maximum length, in bytes, of a body in the command of ``curl(includingBody:)``.
    ///
    /// Beyond it, the command reads standard input. An argument on Linux has at most 128 KiB, with its quotes.
    private static let maximumShownByteCount = 64 << 10

    private var bodyText: String? {
        guard case .data(let data)? = self.body?.content, data.count <= Self.maximumShownByteCount, !data.contains(0)
        else {
            return nil
        }
        return String(validating: data, as: UTF8.self)
    }

    private func gzipCommand(_ text: String?) -> String {
        if let text { return "printf %s \(Self.quote(text, isForced: true)) | gzip --stdout" }
        guard case .file(let url)? = self.body?.content else { return "gzip --stdout" }
        return "gzip --stdout \(Self.quote(url.path))"
    }

    private func bodyArguments(_ text: String?, _ includesText: Bool) -> [String] {
        guard let body = self.body else { return [] }
        // Without this argument, curl declares that it sends a form.
        let noType = self.effectiveFields.contains(.contentType) ? [] : ["--header", "Content-Type:"]
        if self.isCompressedByCurl { return noType + ["--data-binary", "@-"] }
        return switch body.content {
        case .data(let data) where data.isEmpty: noType + ["--data-binary", ""]
        // `--data-raw` sends the text as it is, even with a leading `@`.
        case .data where text != nil: noType + ["--data-raw", text ?? ""]
        case .data, .stream: noType + ["--data-binary", "@-"]
        case .file(let url): noType + ["--data-binary", "@\(url.path)"]
        case .multipart(let multipart): multipart.parts.flatMap { Self.words(of: $0, includesText) }
        }
    }

    /// Returns the arguments for a part: a file by its path, any other content masked unless the caller asked for it.
    private static func words(of part: Multipart.Part, _ includesText: Bool) -> [String] {
        // curl reads a name up to the first equals sign, and has no way to escape one. It takes all other characters of
        // the name as they are, even quotes.
        let name = part.name.unicodeScalars.map { $0 == "=" ? "%3D" : "\($0)" }.joined()
        guard case .file(let url) = part.content else {
            // In quotes, `@` and `;` have no special meaning.
            guard includesText, let text = self.text(of: part) else {
                return ["--form", "\(name)=\(self.formQuote(Secrets.mask))"]
            }
            return ["--form", "\(name)=\(self.formQuote(text))\(self.attributes(of: part))"]
        }
        return ["--form", "\(name)=@\(self.formQuote(url.path))\(self.attributes(of: part))"]
    }

    private static func attributes(of part: Multipart.Part) -> String {
        var text = ""
        if let filename = part.filename { text += ";filename=\(self.formQuote(filename))" }
        if let contentType = part.contentType { text += ";type=\(contentType)" }
        return text
    }

    private static func text(of part: Multipart.Part) -> String? {
        guard case .data(let data) = part.content, data.count <= self.maximumShownByteCount, !data.contains(0) else {
            return nil
        }
        return String(validating: data, as: UTF8.self)
    }

    private static func formQuote(_ text: String) -> String {
        let isPlain = !text.isEmpty && text.utf8.allSatisfy { $0.isUnreserved || $0 == UInt8(ascii: "/") }
        if isPlain { return text }
        // Escape by scalars: a quote followed by a combining mark is one `Character`, which is not equal to a quote.
        let escaped = text.unicodeScalars.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : "\($0)" }.joined()
        return "\"\(escaped)\""
    }

    private func headerLine(_ field: HTTPField) -> String {
        if self.isSensitive(field) { return "\(field.name.rawName): \(Secrets.mask)" }
        // With `Name:`, curl would not send the field at all; with `Name;`, it sends the field with an empty value.
        return field.value.isEmpty ? "\(field.name.rawName);" : "\(field.name.rawName): \(field.value)"
    }

    private func isSensitive(_ field: HTTPField) -> Bool {
        field.indexingStrategy == .disallow || self.options.sensitiveFields.contains(field.name)
            || Secrets.areHeld(by: field.name.canonicalName)
    }

    private static func quote(_ text: String, isForced: Bool = false) -> String {
        let isPlain = !isForced && !text.isEmpty && text.utf8.allSatisfy { $0.isUnreserved || $0 == UInt8(ascii: "/") }
        if isPlain { return text }
        // Escape by scalars: the shell ends the word at a quote, even if a combining mark after the quote makes both
        // one `Character`.
        let escaped = text.unicodeScalars.map { $0 == "'" ? "'\\''" : "\($0)" }.joined()
        return "'\(escaped)'"
    }
}

/// Guesses from the name of a field or a query item whether its value is a secret; when in doubt, the answer is yes.
package enum Secrets {
    package static let mask = "***"

    /// Parts of names that suggest a secret: `auth` covers `Authorization`, `cookie` covers `Set-Cookie`.
    private static let secretNameParts = [
        "auth", "cookie", "token", "secret", "key", "pass", "pwd", "credential", "signature", "session", "jwt",
        "bearer", "csrf", "xsrf", "hmac", "assertion",
    ]
    private static let harmlessParts = [
        "compass", "bypass", "surpass", "trespass", "passage", "passenger", "passive", "pass-through", "passthrough",
    ]
    /// Whole words of names that suggest a secret, but are too common as parts of other words.
    private static let secretWords: Set<Substring> = ["sig", "pin", "otp", "totp", "sid", "psk", "pw", "cred", "creds"]
    /// Whole names that suggest a secret, but are too common as words of other names.
    private static let tellingNames: Set<String> = ["code", "state", "dpop"]

    package static func areHeld(by name: String) -> Bool {
        let name = name.lowercased()
        if self.tellingNames.contains(name) { return true }
        let words = name.split { "-_.[] ".contains($0) }
        if words.contains(where: self.secretWords.contains) { return true }
        let telling = self.harmlessParts.reduce(name) { $0.contains("pass") ? $0.replacing($1, with: "") : $0 }
        return self.secretNameParts.contains { telling.contains($0) }
    }

    /// Returns a URL without its fragment, which may contain a token (RFC 6749 §4.2.2), and with its secrets masked.
    package static func masked(url: String) -> String {
        let text = url.prefix { $0 != "#" }
        let halves = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let upToPath = self.maskedUserInfo(String(halves.first ?? ""))
        guard halves.count > 1 else { return upToPath }
        let items = halves[1].split(separator: "&", omittingEmptySubsequences: false)
        return "\(upToPath)?\(items.map(self.maskedItem).joined(separator: "&"))"
    }

    /// Masks the user too, because many services accept a token in its place.
    private static func maskedUserInfo(_ text: String) -> String {
        guard let authority = text.firstRange(of: "://") else { return text }
        let rest = text[authority.upperBound...]
        let end = rest.firstIndex { $0 == "/" } ?? rest.endIndex
        guard let at = rest[..<end].lastIndex(of: "@") else { return text }
        return "\(text[..<authority.upperBound])\(self.mask)\(rest[at...])"
    }

    private static func maskedItem(_ item: Substring) -> String {
        guard let equals = item.firstIndex(of: "=") else { return String(item) }
        let name = ContiguousArray(item[..<equals].utf8)
        return self.areHeld(by: PercentEncoding.decode(name.span)) ? "\(item[...equals])\(self.mask)" : String(item)
    }
}
