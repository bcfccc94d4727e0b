// SPDX-License-Identifier: Apache-2.0
import HTTPTypes

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Request {
    /// A curl command that sends much the same request, for a terminal or a report.
    ///
    /// Secrets are masked as `***`, so the command may need them back: the values of fields such as `Authorization` and
    /// `Cookie`, of fields marked as sensitive, of fields and query items whose names tell of a token, key, password, signature or the like, credentials,
    /// and the user and password in the URL. A body in memory or from a stream is not shown, for it may be or hold a
    /// secret: `--data-binary @-` has curl read it from standard input. Of a form with files the files are named, and the
    /// values of its fields masked. What the client adds, such as its default fields and its proxy, is not there. A URL
    /// that cannot be sent is left out.
    ///
    /// - Parameter includingBody: Whether a body in memory that is text of at most 64 KiB, and the text of a form's fields,
    ///   stand in the command as they are, secrets in them too; then the line may hold line breaks, within quotes. Defaults
    ///   to `false`. Bytes that are not UTF-8, longer text and streams are left to standard input all the same.
    /// - Returns: one line, quoted for a POSIX shell. With ``compressed(minimumByteCount:)`` it begins with `gzip`, whose
    ///   output curl sends.
    public func curl(includingBody: Bool = false) -> String {
        let text = includingBody ? self.bodyText : nil
        var words = ["curl"]
        switch (self.method, self.body) {
        case (.get, nil): break
        case (.head, nil): words.append("--head")
        default: words += ["--request", self.method.rawValue]
        }
        words += self.options.curlWords
        for field in self.curlFields { words += ["--header", self.headerLine(field)] }
        words += self.bodyWords(text, includingBody)
        words.append(self.canSendURL ? Secrets.masked(url: self.url.absoluteString) : "")
        // The URL is quoted whatever it holds, as most people would.
        let command = words.dropLast().map { Self.quote($0) } + [Self.quote(words.last ?? "", isForced: true)]
        return (self.isCompressedByCurl ? "\(self.gzipCommand(text)) | " : "") + command.joined(separator: " ")
    }

    /// Whether the URL is one that the client would send to.
    private var canSendURL: Bool {
        guard self.problems.url == nil else { return false }
        return (try? Destination(self.url)) != nil
    }

    /// The fields that curl does not write by itself.
    private var curlFields: [HTTPField] {
        var fields = Array(self.effectiveFields)
        // curl chooses a boundary of its own for what it encodes itself.
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

    /// The longest body that is shown: an argument of a command on Linux has at most 128 KiB, quotes included.
    private static let maximumShownByteCount = 64 << 10

    /// The body, if it is in memory and may be an argument: text without NUL.
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

    private func bodyWords(_ text: String?, _ includesText: Bool) -> [String] {
        guard let body = self.body else { return [] }
        // Without this, curl says that what it sends is a form.
        let noType = self.effectiveFields.contains(.contentType) ? [] : ["--header", "Content-Type:"]
        if self.isCompressedByCurl { return noType + ["--data-binary", "@-"] }
        return switch body.content {
        case .data(let data) where data.isEmpty: noType + ["--data-binary", ""]
        // curl takes it as it is, a leading `@` too.
        case .data where text != nil: noType + ["--data-raw", text ?? ""]
        case .data, .stream: noType + ["--data-binary", "@-"]
        case .file(let url): noType + ["--data-binary", "@\(url.path)"]
        case .multipart(let multipart): multipart.parts.flatMap { Self.words(of: $0, includesText) }
        }
    }

    /// A part of a form: a file by its path, all else masked unless it is text that is wanted.
    private static func words(of part: Multipart.Part, _ includesText: Bool) -> [String] {
        // curl takes a name as it is, quotes too, up to the first equals sign, for which it has no other way of writing.
        let name = part.name.unicodeScalars.map { $0 == "=" ? "%3D" : "\($0)" }.joined()
        guard case .file(let url) = part.content else {
            // In quotes, neither `@` nor `;` mean anything.
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

    /// A text within a form's part, as curl reads it: in double quotes, with a backslash before these and before itself.
    private static func formQuote(_ text: String) -> String {
        let isPlain = !text.isEmpty && text.utf8.allSatisfy { $0.isUnreserved || $0 == UInt8(ascii: "/") }
        if isPlain { return text }
        // By scalars: a quote and a combining mark after it are one `Character`, which is not a quote.
        let escaped = text.unicodeScalars.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : "\($0)" }.joined()
        return "\"\(escaped)\""
    }

    private func headerLine(_ field: HTTPField) -> String {
        if self.isSensitive(field) { return "\(field.name.rawName): \(Secrets.mask)" }
        // To curl, a name and a colon alone mean that the field is not to be sent.
        return field.value.isEmpty ? "\(field.name.rawName);" : "\(field.name.rawName): \(field.value)"
    }

    private func isSensitive(_ field: HTTPField) -> Bool {
        field.indexingStrategy == .disallow || self.options.sensitiveFields.contains(field.name)
            || Secrets.areHeld(by: field.name.canonicalName)
    }

    /// A word that a POSIX shell takes literally.
    private static func quote(_ text: String, isForced: Bool = false) -> String {
        let isPlain = !isForced && !text.isEmpty && text.utf8.allSatisfy { $0.isUnreserved || $0 == UInt8(ascii: "/") }
        if isPlain { return text }
        // By scalars: the shell ends the word at a quote, whatever combining mark makes another `Character` of it.
        let escaped = text.unicodeScalars.map { $0 == "'" ? "'\\''" : "\($0)" }.joined()
        return "'\(escaped)'"
    }
}

/// Guesses by its name what is a secret, and errs on the side of hiding.
package enum Secrets {
    /// What stands in place of a secret.
    package static let mask = "***"

    /// Parts of names, in lower case; `auth` covers `Authorization` and `Proxy-Authorization`, `cookie` `Set-Cookie`.
    private static let tellingParts = [
        "auth", "cookie", "token", "secret", "key", "passw", "pwd", "credential", "signature", "session", "jwt",
    ]
    /// Whole names that tell, but whose text is too common to look for inside others.
    private static let tellingNames: Set<String> = ["code", "sig", "pass", "state"]

    /// Whether the value of a field or of a query item with this name should not be shown.
    package static func areHeld(by name: String) -> Bool {
        let name = name.lowercased()
        return self.tellingNames.contains(name) || self.tellingParts.contains { name.contains($0) }
    }

    /// The text of a URL with its user, its password and the values of telling query items masked.
    ///
    /// The fragment is left out: it is never sent (RFC 9110 §4.2.4), and may be a token (RFC 6749 §4.2.2).
    package static func masked(url: String) -> String {
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
