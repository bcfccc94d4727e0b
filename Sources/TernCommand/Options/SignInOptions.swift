// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Tern
import TernAuthentication
import TernFoundation

struct SignInOptions: ParsableArguments, Sendable {
    @Option(
        name: [.customShort("u"), .long],
        help: ArgumentHelp(
            "Sign in as this user: with Basic in the first request, and with Digest if the server then asks for it. If "
                + "you give no password, you are asked for it on the terminal; other users of this machine can see a "
                + "password on the command line.",
            valueName: "name[:password]"
        )
    )
    var user: String?

    @Flag(help: "With --user: answer a 401 with Digest only, so that the password is never sent.")
    var digest = false

    @Flag(help: "With --user: use Basic only.")
    var basic = false

    @Flag(help: "With --user: wait for the 401, and answer with Digest if the server supports it, else with Basic.")
    var anyauth = false

    @Option(
        name: [.long, .customLong("oauth2-bearer")],
        help: ArgumentHelp("Send this Bearer token with the first request.", valueName: "token")
    )
    var bearer: String?

    @Flag(name: [.customShort("n"), .long], help: "Take user and password from ~/.netrc when the server asks.")
    var netrc = false

    @Option(help: ArgumentHelp("Take user and password from this file, in the .netrc format.", valueName: "file"))
    var netrcFile: String?

    @Flag(help: "Ask on the terminal, at most three times, when the server or the proxy asks for credentials.")
    var ask = false

    func validate() throws {
        if self.user != nil, self.bearer != nil { throw ValidationError("--user and --bearer cannot be combined.") }
        let ways = [self.digest, self.basic, self.anyauth].count { $0 }
        if ways > 1 { throw ValidationError("--digest, --basic and --anyauth cannot be combined.") }
        if ways > 0, self.user == nil {
            throw ValidationError("--digest, --basic and --anyauth need --user.")
        }
    }

    private var typed: (name: String, password: String?)? {
        guard let user = self.user else { return nil }
        guard let colon = user.firstIndex(of: ":") else { return (user, nil) }
        return (String(user[..<colon]), String(user[user.index(after: colon)...]))
    }

    var isTyped: Bool { self.user != nil || self.bearer != nil }

    var userWithoutPassword: String? {
        guard let typed = self.typed, typed.password == nil else { return nil }
        return typed.name
    }

    func applied(to request: Request, password: String?) -> Request {
        if let bearer { return request.credential(Credential(token: bearer)) }
        guard let typed = self.typed else { return request }
        let credential = Credential(user: typed.name, password: typed.password ?? password ?? "")
        if self.digest { return request.credential(credential, schemes: [.digest]) }
        if self.basic { return request.credential(credential, schemes: [.basic], isPreemptive: true) }
        return request.credential(credential, isPreemptive: !self.anyauth)
    }

    /// Returns a warning if others on the network could read the password or the token.
    func warning(for url: String) -> String? {
        guard self.bearer != nil || self.user != nil && !self.digest else { return nil }
        guard url.lowercased().hasPrefix("http://"), !TypedURL.isLoopback(url: url) else { return nil }
        return
            "warning: http is not encrypted, so others can read the password or token; --digest never sends passwords"
    }

    func store() throws(CommandFailure) -> (any CredentialStore)? {
        guard let path = self.netrcFile ?? (self.netrc ? Self.netrcPath : nil) else { return nil }
        let data = try System.contents(ofFile: path)
        do throws(NetrcError) {
            return NetrcCredentialStore(try Netrc(parsing: String(decoding: data, as: UTF8.self)))
        } catch {
            throw CommandFailure(outcome: .usage, message: "\(path) cannot be used: \(Self.clause(error))")
        }
    }

    /// Returns a sentence as the end of a message: without its capital letter and its period.
    private static func clause(_ error: NetrcError) -> String {
        let sentence = error.description
        return sentence.prefix(1).lowercased() + sentence.dropFirst().dropLast()
    }

    private static var netrcPath: String {
        FileManager.default.homeDirectoryForCurrentUser.appending(path: ".netrc").path
    }
}
