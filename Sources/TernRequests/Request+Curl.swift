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
    /// `Cookie`, of fields and query items whose names tell of a token, key, password, signature or the like, and the
    /// user and password in the URL. A body in memory or from a stream is not shown, for it may be or hold a secret:
    /// `--data-binary @-` has curl read it from standard input. A URL that cannot be sent is left out.
    ///
    /// - Returns: one line, quoted for a POSIX shell.
    public func curl() -> String {
        var words = ["curl"]
        switch (self.method, self.body) {
        case (.get, nil): break
        case (.head, nil): words.append("--head")
        default: words += ["--request", Self.quote(self.method.rawValue)]
        }
        if let path = self.options.unixSocketPath { words += ["--unix-socket", Self.quote(path)] }
        if let limit = self.options.callTimeout { words += ["--max-time", "\(limit / .seconds(1))"] }
        for field in self.effectiveFields { words += ["--header", Self.quote(Self.headerLine(field))] }
        words += self.bodyWords
        words.append(Self.quote(self.problems.url == nil ? Secrets.masked(url: self.url.absoluteString) : ""))
        return words.joined(separator: " ")
    }

    private var bodyWords: [String] {
        guard let body = self.body else { return [] }
        // Without this, curl says that what it sends is a form.
        let noType = self.effectiveFields.contains(.contentType) ? [] : ["--header", Self.quote("Content-Type:")]
        return switch body.content {
        case .data(let data) where data.isEmpty: noType + ["--data-binary", "''"]
        case .data, .stream: noType + ["--data-binary", "@-"]
        case .file(let url): noType + ["--data-binary", Self.quote("@\(url.path)")]
        }
    }

    private static func headerLine(_ field: HTTPField) -> String {
        if Secrets.areHeld(by: field.name.canonicalName) { return "\(field.name.rawName): \(Secrets.mask)" }
        // To curl, a name and a colon alone mean that the field is not to be sent.
        return field.value.isEmpty ? "\(field.name.rawName);" : "\(field.name.rawName): \(field.value)"
    }

    /// A word that a POSIX shell takes literally.
    private static func quote(_ text: String) -> String {
        let isPlain = !text.isEmpty && text.utf8.allSatisfy { $0.isUnreserved || $0 == UInt8(ascii: "/") }
        if isPlain { return text }
        return "'\(text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''"))'"
    }
}
