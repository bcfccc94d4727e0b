// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Tern
import TernCookies

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The options that send and store cookies.
struct CookieOptions: ParsableArguments, Sendable {
    @Option(
        name: [.customShort("b"), .long],
        help: ArgumentHelp(
            "Send these cookies: pairs of name=value, separated by semicolons, or the name of a cookie file, which is "
                + "not changed. May be repeated.",
            valueName: "cookies|file"
        )
    )
    var cookie: [String] = []

    @Option(
        name: [.customShort("c"), .long],
        help: ArgumentHelp(
            "Send the cookies in this file, and save in it the cookies that servers set, even session cookies. The "
                + "file is created if missing.",
            valueName: "file"
        )
    )
    var cookieJar: String?

    @Flag(name: [.customShort("j"), .long], help: "Ignore the session cookies in the files.")
    var junkSessionCookies = false

    /// The cookies that were typed as text.
    var texts: [String] { self.cookie.filter { $0.contains("=") } }

    /// The cookie files that the command reads and does not write.
    ///
    /// As in curl, a text without `=` is the name of a file.
    private var files: [String] { self.cookie.filter { !$0.contains("=") && $0 != self.cookieJar } }

    /// Reads the cookie files; returns `nil` if the user typed none.
    ///
    /// - Parameter warns: Whether to report missing files and skipped lines on standard error.
    /// - Returns: A store. If the store is a `FileCookieStore`, the caller must flush it when the call is over.
    /// - Throws: `CommandFailure` if a file cannot be used.
    func store(warns: Bool) async throws(CommandFailure) -> (any CookieStore)? {
        let jars = try self.files.map { path throws(CommandFailure) in try Self.read(path, warns: warns) }
        if let cookieJar {
            let store = try await self.store(of: cookieJar, warns: warns)
            store.update { jar in
                if self.junkSessionCookies { jar.endSession() }
                self.insert(jars, into: &jar)
            }
            return store
        }
        guard self.cookie.contains(where: { !$0.contains("=") }) else { return nil }
        var jar = CookieJar()
        self.insert(jars, into: &jar)
        return MemoryCookieStore(jar)
    }

    private func insert(_ jars: [CookieJar], into jar: inout CookieJar) {
        let now = Date()
        for cookie in jars.flatMap(\.cookies) where !self.junkSessionCookies || !cookie.isSessionCookie {
            try? jar.insert(cookie, at: now)
        }
    }

    private func store(of path: String, warns: Bool) async throws(CommandFailure) -> FileCookieStore {
        do throws(CookieFileError) {
            let store = try await FileCookieStore(file: URL(filePath: path), keepsSession: true)
            if warns { Self.warn(of: store.damagedLineCount, in: path) }
            return store
        } catch {
            var message = "\(path) cannot be used: \(error)"
            if case .foreign = error, (try? Self.read(path, warns: false)) != nil {
                message = "\(path) is a cookie file of curl; read it with --cookie, and use another --cookie-jar"
            }
            throw CommandFailure(outcome: .usage, message: message)
        }
    }

    /// Reads a cookie file in the format of `tern-cli` or of curl.
    ///
    /// If the file is missing or cannot be read, returns no cookies.
    private static func read(_ path: String, warns: Bool) throws(CommandFailure) -> CookieJar {
        guard !path.isEmpty else { return CookieJar() }
        guard let data = try? Data(contentsOf: URL(filePath: path)) else {
            if warns { System.tell(TerminalText.note("the cookie file \(path) does not exist or cannot be read")) }
            return CookieJar()
        }
        let content = (try? CookieFile.decode(data, at: Date())) ?? (try? CookieFile.decode(netscape: data, at: Date()))
        guard let content else {
            throw CommandFailure(outcome: .usage, message: "\(path) cannot be used: it is not a cookie file")
        }
        if warns { Self.warn(of: content.damagedLineCount, in: path) }
        return content.jar
    }

    private static func warn(of damagedLineCount: Int, in path: String) {
        guard damagedLineCount > 0 else { return }
        let lines = damagedLineCount == 1 ? "1 damaged line" : "\(damagedLineCount) damaged lines"
        System.tell(TerminalText.note("the cookie file \(path) has \(lines), which tern-cli skips"))
    }
}
