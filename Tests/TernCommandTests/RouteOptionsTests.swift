// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Tern
import Testing

@testable import TernCommand

@Suite("Which way requests take")
struct RouteOptionsTests {
    private static func configuration(_ arguments: [String]) throws -> Client.Configuration {
        try GetCommand.parse(arguments + ["https://example.com/"]).connection.configuration(for: "https://example.com/")
    }

    @Test func `the proxy is the environment's unless another is typed, or none`() throws {
        #expect(try Self.configuration([]).proxy == .environment)
        #expect(try Self.configuration(["--no-proxy"]).proxy == .direct)
        let proxy = Proxy(.http, host: "p", port: 3128, user: "u", password: "w")
        #expect(try Self.configuration(["-x", "http://u:w@p:3128"]).proxy == .proxy(proxy))
        #expect(try Self.configuration(["--proxy", "socks5://p"]).proxy == .proxy(Proxy(.socks5, host: "p")))
    }

    @Test func `redirects are followed unless others are asked for`() throws {
        #expect(try Self.configuration([]).redirects == .follow)
        #expect(try Self.configuration(["-L"]).redirects == .follow)
        #expect(try Self.configuration(["--no-redirects"]).redirects == .never)
        #expect(try Self.configuration(["-L", "--max-redirects", "0"]).redirects == RedirectPolicy(maximumCount: 0))
    }

    static let wrong: [[String]] = [
        ["--proxy", "http://p", "--no-proxy"], ["--no-redirects", "-L"], ["--no-redirects", "--max-redirects", "1"],
        ["--max-redirects", "-1"], ["--proxy", "ftp://p"], ["--proxy", ""],
    ]

    @Test(arguments: wrong)
    func `what makes no sense is refused`(arguments: [String]) {
        #expect(throws: (any Error).self) { try Self.configuration(arguments) }
    }

    @Test func `a proxy that cannot be read is refused without repeating its password`() throws {
        let error = #expect(throws: (any Error).self) { try Self.configuration(["--proxy", "http://u:wo@of@p"]) }
        let message = GetCommand.fullMessage(for: try #require(error))
        #expect(message.contains("--proxy") && !message.contains("wo@of"))
    }
}
