// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import Testing

@testable import TernCommand

@Suite("Command lines in curl's grammar")
struct CommandArgumentsTests {
    private static func words(_ typed: [String]) throws -> [String] { try CommandArguments(typed).words }

    static let lines: [(typed: [String], words: [String])] = [
        ([], []),
        (["u"], ["get", "u"]),
        (["get", "u"], ["get", "u"]),
        (["-sS", "u"], ["get", "--silent", "--show-error", "u"]),
        (["-XPOST", "u"], ["get", "--request=POST", "u"]),
        (["-fsSLO", "u"], ["get", "--fail", "--silent", "--show-error", "--location", "--remote-name", "u"]),
        (["-LOofile", "u"], ["get", "--location", "--remote-name", "u"]),
        (["-so", "-", "u"], ["get", "--silent", "--output=-", "u"]),
        (["-C", "-", "u"], ["get", "--continue-at=-", "u"]),
        (["-C-", "u"], ["get", "--continue-at=-", "u"]),
        (["-H", "-X: y", "u"], ["get", "--header=-X: y", "u"]),
        (["--header", "--", "u"], ["get", "--header=--", "u"]),
        (["--header=A: b=c", "u"], ["get", "--header=A: b=c", "u"]),
        (["-A", "", "u"], ["get", "--user-agent", "", "u"]),
        (["--user-agent=", "u"], ["get", "--user-agent", "", "u"]),
        (["-sd", "", "u"], ["get", "--silent", "--content-item=data:", "u"]),
        (["-A", "\u{301}x", "u"], ["get", "--user-agent", "\u{301}x", "u"]),
        (["u", "-i"], ["get", "u", "--include"]),
        (["--url", "u", "-i"], ["get", "u", "--include"]),
        (["-i", "--", "-u"], ["get", "--include", "--", "-u"]),
        (["-da=1", "-d", "@f", "u"], ["get", "--content-item=data:a=1", "--content-item=data:@f", "u"]),
        (["--data-ascii", "a", "u"], ["get", "--content-item=data:a", "u"]),
        (
            ["--json", "{}", "--data-urlencode", "a=b", "u"],
            ["get", "--content-item=json:{}", "--content-item=data-urlencode:a=b", "u"]
        ),
        (["-F", "a=@b;type=c", "u"], ["get", "--content-item=form:a=@b;type=c", "u"]),
        (["-N#g", "--http1.1", "u"], ["get", "--globoff", "--http1.1", "u"]),
        (["--no-progress-meter", "u"], ["get", "--quiet", "u"]),
        (["-sU", "a:b", "-x", "p:1", "u"], ["get", "--silent", "--proxy-user=a:b", "--proxy=p:1", "u"]),
        (["--proxy-basic", "u"], ["get", "u"]),
        (["--socks5", "p:1", "u"], ["get", "--proxy=socks5://p:1", "u"]),
        (["--show-headers", "--out-null", "u"], ["get", "--include", "--output=/dev/null", "u"]),
        (["-i", "--no-include", "u"], ["get", "u"]),
        (["--no-location", "u"], ["get", "--no-location", "u"]),
        (["download", "-sk", "-ofile", "u"], ["download", "--silent", "--insecure", "--output=file", "u"]),
        (["upload", "u", "-"], ["upload", "u", "-"]),
        (
            ["events", "-sN", "--json", "{}", "--until-data", "-", "u"],
            ["events", "--silent", "--content-item=json:{}", "--until-data=-", "u"]
        ),
        (["ws", "-kv", "u"], ["ws", "--insecure", "--verbose", "u"]),
        (["run", "f", "--var", "a=b"], ["run", "f", "--var=a=b"]),
        (["demo", "-x"], ["demo", "-x"]),
        (["help", "get"], ["help", "get"]),
        (["get", "-h"], ["get", "--help"]),
        (["-V"], ["--version"]),
        (["-h"], ["--help"]),
        (["--unknown", "u"], ["get", "--unknown", "u"]),
        (["-sE", "a:b", "u"], ["get", "--silent", "--cert=a:b", "u"]),
        (["-o", "f", "a.b", "-o", "g", "c.d", "-i"], ["get", "--output=f", "a.b", "--include"]),
        (["a.b", "c.d", "-O"], ["get", "a.b", "--remote-name"]),
        (["--remote-name-all", "a.b", "c.d"], ["get", "--remote-name", "a.b"]),
        (["-ZT", "f", "a.b", "-T", "g", "c.d"], ["get", "--parallel", "--upload-file=f", "a.b"]),
        (["-i", "a.b", "-:", "-sf", "c.d"], ["get", "--include", "a.b", "--silent"]),
    ]

    @Test(arguments: lines)
    func `a line becomes one that the parser reads`(typed: [String], words: [String]) throws {
        #expect(try Self.words(typed) == words)
    }

    static let refused: [(typed: [String], message: String)] = [
        (["--ntlm", "u"], "--ntlm is not supported: use Basic, Digest (--digest) or Bearer (--bearer)"),
        (["-0", "u"], "--http1.0 is not supported: tern-cli speaks HTTP/1.1 and HTTP/2"),
        (["--proxy-digest", "u"], "--proxy-user name:password, with --proxy-anyauth"),
        (["--variable", "s3cret", "u"], "'tern-cli run'"),
        (["-o"], "--output needs a value"),
        (["--silent=s3cret", "u"], "--silent takes no value"),
        (["upload", "-ds3cret", "u", "f"], "-d (--data) is only an option of 'tern-cli download', 'tern-cli events'"),
        (["websocket", "--json", "u"], "--report json"),
        (["--json", "http://s3cret"], "--report json"),
        (["events", "--json", "http://s3cret"], "there is no URL"),
        (["events", "u", "--json"], "--json needs a value: the JSON to send; use --report json"),
        (["gett", "u"], "'gett' is not a command"),
        (["-s", "download", "u"], "'download' is a command and must come first"),
        (["--parallel-max-host", "3", "u"], "use --parallel-max"),
        (["download", "-Z", "u"], "-Z (--parallel) is only an option of 'tern-cli get'"),
        (["download", "-K", "s3cret", "u"], "-K (--config) is only an option of 'tern-cli get'"),
        (["--paralel", "u"], "did you mean --parallel?"), (["--conifg", "s3cret"], "did you mean --config?"),
        (["--limit-rat", "1K", "u"], "did you mean --limit-rate?"),
        (["--remote-nam-all", "u"], "did you mean --remote-name-all?"),
        (["--next", "u"], "there is no URL before --next"), (["u", "-:", "-:", "v"], "there is no URL before --next"),
        (["http://s3cret", "--next", "-d", "s3cret"], "there is no URL after the last --next"),
        (["upload", "--show-headers", "f", "u"], "--show-headers (--include) is only an option of 'tern-cli get'"),
        (["--httpsig-key", "s3cret", "u"], "RequestSigner"), (["--httpsig-algo=s3cret", "u"], "RequestSigner"),
        (["--ipfs-gateway", "http://s3cret", "ipfs://a"], "write the gateway into the URL"),
        (["--lcoation", "u"], "--lcoation is not an option; did you mean --location?"),
        (["--loction=s3cret", "u"], "did you mean --location?"),
        (["--heder", "X-Dog: s3cret", "u"], "did you mean --header?"),
        (["-s", "--Compressed", "u"], "did you mean --compressed?"),
        (["--proxyuser", "a:s3cret", "u"], "did you mean --proxy-user?"),
        (["--ntml", "u"], "did you mean --ntlm?"),
        (["download", "--ouput", "s3cret", "u"], "did you mean --output?"),
        (["--no-locaton", "u"], "did you mean --no-location?"),
        (["--connect-time", "5", "u"], "did you mean --connect-timeout?"),
    ]

    @Test(arguments: refused)
    func `what is refused says what to use, and shows no value`(typed: [String], message: String) throws {
        let error = #expect(throws: CommandFailure.self) { try Self.words(typed) }
        #expect(error?.outcome == .usage && error?.outcome.exitCode == 64)
        #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
        #expect(error?.message.contains("s3cret") == false)
    }

    @Test func `each refused option of curl's has an advice of its own name`() throws {
        for option in CurlOption.all {
            guard case .refused(let advice) = option.meaning else { continue }
            let error = #expect(throws: CommandFailure.self) { try Self.words(["--\(option.option.name)", "v", "u"]) }
            #expect(error?.message == "--\(option.option.name) is not supported: \(advice)")
            #expect(!advice.isEmpty && advice.last != ".")
        }
        let names = CurlOption.all.map(\.option.name)
        #expect(Set(names).count == names.count)
    }

    @Test(arguments: [
        "httpsig-algo=", "httpsig-headers=", "httpsig-key=", "httpsig-keyid=", "out-null", "proxy-http3",
        "show-headers", "sigalgs=", "ipfs-gateway=",
    ])
    func `an option that the installed curl may not have is known`(text: String) throws {
        let option = CommandGrammar.Option(text[...])
        #expect(try #require(CurlOption.named(option.name)).option == option)
    }

    // MARK: The parser's own declarations

    private struct Help: Decodable {
        struct Command: Decodable { var arguments: [Argument]? }
        struct Argument: Decodable {
            struct Name: Decodable {
                var kind: String
                var name: String
            }
            var kind: String
            var names: [Name]?
        }
        var command: Command
    }

    static let commands: [(name: String, types: [any ParsableCommand.Type])] = [
        ("get", [GetCommand.self]), ("download", [DownloadCommand.self]), ("upload", [UploadCommand.self]),
        ("lines", [LinesCommand.self]), ("events", [EventsCommand.self]), ("websocket", [WebSocketCommand.self]),
        ("run", [RunCommand.self]), ("transfers", TransfersCommand.configuration.subcommands),
    ]

    @Test(arguments: ["get", "download", "upload", "lines", "events", "websocket", "run", "transfers"])
    func `the grammar of a command is what the parser has`(command: String) throws {
        let types = try #require(Self.commands.first { $0.name == command }?.types)
        let helps = try types.map { try JSONDecoder().decode(Help.self, from: Data($0._dumpHelp().utf8)) }
        let grammar = try #require(CommandGrammar.commands[command])
        let ours: Set<String> = Set(ContentArgument.Kind.allCases.map(\.rawValue) + ["data-ascii", "url", "version"])
        var declared: Set<String> = []
        for argument in helps.flatMap({ $0.command.arguments ?? [] }) {
            for name in argument.names ?? [] where name.name != CommandArguments.contentOption {
                if name.kind == "long" {
                    declared.insert(name.name)
                    let option = try #require(grammar.option(named: name.name), "--\(name.name)")
                    #expect(option.takesValue == (argument.kind == "option"), "--\(name.name)")
                } else if let letter = name.name.first {
                    #expect(grammar.option(of: letter)?.takesValue == (argument.kind == "option"), "-\(letter)")
                }
            }
        }
        let unknown = Set(grammar.options.keys).subtracting(declared).subtracting(ours)
        #expect(unknown.isEmpty)
    }
}
