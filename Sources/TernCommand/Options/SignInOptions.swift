// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Tern
import TernAuthentication

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Who to be, as it is typed.
struct SignInOptions: ParsableArguments, Sendable {
    @Option(
        name: [.customShort("u"), .long],
        help: ArgumentHelp(
            "Sign in as this user: by Basic with the first request, and by Digest if the server then asks for it. A "
                + "missing password is asked for on the terminal; other users of this machine can see one that is typed.",
            valueName: "name[:password]"
        )
    )
    var user: String?

    @Flag(help: "With --user: answer a 401 by Digest only, so that the password is never sent.")
    var digest = false

    @Flag(help: "With --user: use Basic only.")
    var basic = false

    @Flag(help: "With --user: wait for the 401, and answer it by Digest if the server can, else by Basic.")
    var anyauth = false

    @Option(
        name: [.long, .customLong("oauth2-bearer")],
        help: ArgumentHelp("Send this token as Bearer with the first request.", valueName: "token")
    )
    var bearer: String?

    @Flag(name: [.customShort("n"), .long], help: "Take user and password from ~/.netrc when the server asks.")
    var netrc = false

    @Option(help: ArgumentHelp("Take user and password from this file, in the form of .netrc.", valueName: "file"))
    var netrcFile: String?

    @Flag(help: "Ask on the terminal, three times at most, when the server or the proxy asks who you are.")
    var ask = false

    func validate() throws {
        if self.user != nil, self.bearer != nil { throw ValidationError("--user and --bearer exclude each other.") }
        let ways = [self.digest, self.basic, self.anyauth].count { $0 }
        if ways > 1 { throw ValidationError("--digest, --basic and --anyauth exclude each other.") }
        if ways > 0, self.user == nil {
            throw ValidationError("--digest, --basic and --anyauth say how to send what --user names.")
        }
    }

    /// The name of the user, and the password if it was typed, too.
    private var typed: (name: String, password: String?)? {
        guard let user = self.user else { return nil }
        guard let colon = user.firstIndex(of: ":") else { return (user, nil) }
        return (String(user[..<colon]), String(user[user.index(after: colon)...]))
    }

    /// Whose password has to be asked for; `nil` if none has.
    var userWithoutPassword: String? {
        guard let typed = self.typed, typed.password == nil else { return nil }
        return typed.name
    }

    /// The request with the credential that was typed.
    ///
    /// - Parameters:
    ///   - request: a request.
    ///   - password: the password, if it was asked for.
    /// - Returns: a changed copy.
    func applied(to request: Request, password: String?) -> Request {
        if let bearer { return request.credential(Credential(token: bearer)) }
        guard let typed = self.typed else { return request }
        let credential = Credential(user: typed.name, password: typed.password ?? password ?? "")
        if self.digest { return request.credential(credential, schemes: [.digest]) }
        if self.basic { return request.credential(credential, schemes: [.basic], isPreemptive: true) }
        return request.credential(credential, isPreemptive: !self.anyauth)
    }

    /// Says that a password is readable on the way, if it is.
    ///
    /// - Parameter url: Where it is sent.
    /// - Returns: A sentence; `nil` if the connection is encrypted or does not leave this machine.
    func warning(for url: String) -> String? {
        guard self.bearer != nil || self.user != nil && !self.digest else { return nil }
        guard url.lowercased().hasPrefix("http://"), !TypedURL.isLoopback(url: url) else { return nil }
        return "warning: http is not encrypted: the password or token can be read on the way; --digest never sends it"
    }

    /// What a file has of users and passwords; `nil` if none is to be read.
    func store() throws(CommandFailure) -> (any CredentialStore)? {
        guard let path = self.netrcFile ?? (self.netrc ? Self.netrcPath : nil) else { return nil }
        guard let data = try? Data(contentsOf: URL(filePath: path)) else {
            throw CommandFailure(outcome: .usage, message: "\(path) cannot be read")
        }
        do throws(NetrcError) {
            return NetrcCredentialStore(try Netrc(parsing: String(decoding: data, as: UTF8.self)))
        } catch {
            throw CommandFailure(outcome: .usage, message: "\(path) is no .netrc file. \(error)")
        }
    }

    private static var netrcPath: String {
        FileManager.default.homeDirectoryForCurrentUser.appending(path: ".netrc").path
    }
}
