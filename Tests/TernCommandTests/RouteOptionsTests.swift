// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Tern
import Testing

@testable import TernCommand

@Suite("Which way requests take")
struct RouteOptionsTests {
    private static func options(_ arguments: [String]) throws -> RequestOptions {
        let command = try GetCommand.parse(arguments + ["https://example.com/"])
        return try command.connection.request(.get, command.url, timeout: nil).options
    }

    @Test func `the proxy is the environment's unless another is typed, or none`() throws {
        #expect(try Self.options([]).proxy == nil)
        #expect(try Self.options(["--no-proxy"]).proxy == .direct)
        let proxy = Proxy(.http, host: "p", port: 3128, user: "u", password: "w")
        #expect(try Self.options(["-x", "http://u:w@p:3128"]).proxy == .proxy(proxy))
        #expect(try Self.options(["--noproxy", "*"]).proxy == .direct)
        #expect(try Self.options(["--proxy", ""]).proxy == .direct)
        let exceptions = try Self.options(["-x", "p:1", "--noproxy", "a,b"]).proxy
        #expect(exceptions == .proxy(Proxy(.http, host: "p", port: 1), except: "a,b"))
        #expect(try Self.options(["--proxy", "socks5://p"]).proxy == .proxy(Proxy(.socks5, host: "p")))
    }

    static let users: [(arguments: [String], user: String, password: String)] = [
        (["-x", "http://p:3128", "-U", "u:w"], "u", "w"), (["-x", "p:3128", "-U", "u:w"], "u", "w"),
        (["-x", "http://a:b@p:3128", "--proxy-user", "u:w:x"], "u", "w:x"),
        (["-x", "http://p:3128/", "-U", "ü@/%25 +:#?@\u{301}:"], "ü@/%25 +", "#?@\u{301}:"),
        (["-x", "http://p:3128", "-U", ":"], "", ""), (["-x", "http://a:b@p:3128", "-U", ""], "a", "b"),
    ]

    @Test(arguments: users)
    func `the user for the proxy may be typed beside it`(arguments: [String], user: String, password: String) throws {
        let expected = Proxy(.http, host: "p", port: 3128, user: user, password: password)
        let none = Proxy(.http, host: "p", port: 3128)
        #expect(try Self.options(arguments).proxy == .proxy(user.isEmpty ? none : expected))
    }

    @Test func `a user is sent to the proxy first, unless it shall ask`() throws {
        let command = try GetCommand.parse(["-x", "http://u:w@p", "http://a/"])
        #expect(try !command.connection.configuration(for: command.url).awaitsProxyChallenges)
        let other = try GetCommand.parse(["-x", "http://u:w@p", "--proxy-anyauth", "http://a/"])
        #expect(try other.connection.configuration(for: other.url).awaitsProxyChallenges)
    }

    @Test func `redirects are followed unless others are asked for`() throws {
        #expect(try Self.options([]).redirects == nil)
        #expect(try Self.options(["-L"]).redirects == nil)
        #expect(try Self.options(["--no-redirects"]).redirects == .never)
        #expect(try Self.options(["--no-location"]).redirects == .never)
        #expect(try Self.options(["--max-redirs=-1"]).redirects == RedirectPolicy(maximumCount: .max))
        #expect(try Self.options(["-L", "--max-redirects", "0"]).redirects == RedirectPolicy(maximumCount: 0))
    }

    static let wrong: [[String]] = [
        ["--proxy", "http://p", "--no-proxy"], ["--no-redirects", "-L"], ["--no-redirects", "--max-redirects", "1"],
        ["-U", "a:b"], ["-x", "", "-U", "a:b"], ["-x", "p", "-U", "a"],
        ["--max-redirects", "-2"], ["--proxy", "ftp://p"], ["--noproxy", "a"], ["--no-location", "-L"],
    ]

    @Test(arguments: wrong)
    func `what makes no sense is refused`(arguments: [String]) {
        #expect(throws: (any Error).self) { try Self.options(arguments) }
    }

    @Test func `a proxy that cannot be read is refused without repeating its password`() throws {
        let error = #expect(throws: (any Error).self) { try Self.options(["--proxy", "http://u:wo@of@p"]) }
        let message = GetCommand.fullMessage(for: try #require(error))
        #expect(message.contains("--proxy") && !message.contains("wo@of"))
    }
}
