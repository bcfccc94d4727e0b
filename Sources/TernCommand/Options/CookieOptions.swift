// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Tern
import TernCookies
import TernFoundation

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

    var texts: [String] { self.cookie.filter { $0.contains("=") } }

    /// As in curl, a text without `=` is the name of a file.
    private var files: [String] { self.cookie.filter { !$0.contains("=") && $0 != self.cookieJar } }

    /// Reads the files; even with `--silent`, a missing one is reported, because a call would lack a cookie that the user named.
    func store(warns: Bool) async throws(CommandFailure) -> (any CookieStore)? {
        let jars = try self.files.map { path throws(CommandFailure) in try Self.read(path, warns: warns) }
        if let cookieJar, !cookieJar.isEmpty {
            let store = try await self.store(of: cookieJar, warns: warns)
            store.update { jar in
                if self.junkSessionCookies { jar.endSession() }
                self.insert(jars, into: &jar)
            }
            return store
        }
        // As in curl, a name without text turns cookies on for this call, and no file is read or written.
        guard self.cookieJar != nil || self.cookie.contains(where: { !$0.contains("=") }) else { return nil }
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

    /// Reads a cookie file in the format of `tern-cli` or of curl; `-` is standard input.
    private static func read(_ path: String, warns: Bool) throws(CommandFailure) -> CookieJar {
        guard !path.isEmpty else { return CookieJar() }
        let isInput = path == "-"
        let name = isInput ? "on standard input" : path
        guard let data = System.contents(ofFile: isInput ? "/dev/stdin" : path, atMost: Self.maximumByteCount) else {
            if warns { System.tell(TerminalText.note("the cookie file \(name) does not exist or cannot be read")) }
            return CookieJar()
        }
        guard data.count <= Self.maximumByteCount else {
            throw CommandFailure(outcome: .usage, message: "\(path) cannot be used: it is too long for a cookie file")
        }
        let content = (try? CookieFile.decode(data, at: Date())) ?? (try? CookieFile.decode(netscape: data, at: Date()))
        guard let content else {
            throw CommandFailure(outcome: .usage, message: "\(path) cannot be used: it is not a cookie file")
        }
        if warns { Self.warn(of: content.damagedLineCount, first: content.firstDamagedLine, in: name) }
        return content.jar
    }

    /// The maximum length of a cookie file, in bytes; the same as for `FileCookieStore`.
    static let maximumByteCount = 64 << 20

    private static func warn(of damagedLineCount: Int, first: Int? = nil, in path: String) {
        guard damagedLineCount > 0 else { return }
        let lines = damagedLineCount == 1 ? "1 damaged line" : "\(damagedLineCount) damaged lines"
        let place = first.map { damagedLineCount == 1 ? " (line \($0))" : " (the first is line \($0))" } ?? ""
        System.tell(TerminalText.note("the cookie file \(path) has \(lines)\(place), which tern-cli skips"))
    }
}
