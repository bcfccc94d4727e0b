// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Tern
import TernCookies

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The options that send and keep cookies.
struct CookieOptions: ParsableArguments, Sendable {
    @Option(
        name: [.customShort("b"), .long],
        help: ArgumentHelp(
            "Send these cookies: name=value, with more behind semicolons, or a file of cookies, which is read only. May be "
                + "repeated.",
            valueName: "cookies|file"
        )
    )
    var cookie: [String] = []

    @Option(
        name: [.customShort("c"), .long],
        help: ArgumentHelp(
            "Send the cookies that this file has, and keep in it what servers set, also for the session; it is made if "
                + "there is none.",
            valueName: "file"
        )
    )
    var cookieJar: String?

    @Flag(name: [.customShort("j"), .long], help: "Leave out what the files have for a session.")
    var junkSessionCookies = false

    /// The cookies that were typed as text.
    var texts: [String] { self.cookie.filter { $0.contains("=") } }

    /// The files that are read and not written; as in curl, a text without `=` is the name of a file.
    private var files: [String] { self.cookie.filter { !$0.contains("=") && $0 != self.cookieJar } }

    /// Reads the files; `nil` if cookies are neither read nor kept.
    ///
    /// - Parameter warns: Whether to say on standard error that something was left out.
    /// - Returns: A store; one of a file is to be flushed when the call is over.
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
                message = "\(path) is a file of curl's: read it by --cookie, and name another file by --cookie-jar"
            }
            throw CommandFailure(outcome: .usage, message: message)
        }
    }

    /// Reads a file of this program's or of curl's; one that is not there has no cookies.
    private static func read(_ path: String, warns: Bool) throws(CommandFailure) -> CookieJar {
        guard !path.isEmpty else { return CookieJar() }
        guard let data = try? Data(contentsOf: URL(filePath: path)) else {
            if warns { System.tell(TerminalText.note("there is no file of cookies \(path)")) }
            return CookieJar()
        }
        let content = (try? CookieFile.decode(data, at: Date())) ?? (try? CookieFile.decode(netscape: data, at: Date()))
        guard let content else {
            throw CommandFailure(outcome: .usage, message: "\(path) cannot be used: it is not a file of cookies")
        }
        if warns { Self.warn(of: content.damagedLineCount, in: path) }
        return content.jar
    }

    private static func warn(of damagedLineCount: Int, in path: String) {
        guard damagedLineCount > 0 else { return }
        System.tell(TerminalText.note("\(damagedLineCount) damaged lines of \(path) were left out"))
    }
}
