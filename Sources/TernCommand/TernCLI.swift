// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Tern

@main
struct TernCLI: AsyncParsableCommand {
    private static let version = "tern-cli \(TernVersion.number)"

    static let configuration = CommandConfiguration(
        commandName: "tern-cli",
        abstract: "Fetches, uploads, downloads and streams over HTTP and HTTPS, and opens WebSockets.",
        usage: """
            tern-cli [<options>] <url>
            tern-cli <subcommand> ...
            """,
        discussion: """
            Without a subcommand, 'get' is used, which takes curl's options: see 'tern-cli get --help'. Bodies go to \
            standard output and can be piped. Messages go to standard error, and so does progress if standard error \
            is a terminal.

            EXAMPLES
              tern-cli example.com/photos/1
              tern-cli -sSL -H "Accept: text/html" https://example.com | head
              tern-cli -X POST -d '{"a":1}' https://example.com/photos
              tern-cli --json '{"a":1}' https://example.com/photos
              tern-cli -F photo=@dog.jpg https://example.com/photos
              tern-cli -u anna:woof -v https://example.com/albums
              tern-cli -O -C - https://example.com/photos.zip
              tern-cli -Z -O https://example.com/1.jpg -O https://example.com/2.jpg
              tern-cli download https://example.com/photos/1.jpg -o dog.jpg
              tern-cli upload https://example.com/photos/2 dog.jpg
              tern-cli lines https://example.com/photos/updates --limit 5
              tern-cli events --reconnect https://example.com/photos/news
              tern-cli websocket wss://example.com/photos/live
              tern-cli run photos.http --name fetchPhoto --var id=3
              tern-cli transfers add https://example.com/models/large.bin
              tern-cli transfers run
              tern-cli demo

            DIFFERENCES FROM CURL
            Options have curl's names and letters. If an option is not supported, the message says what to do instead. \
            The differences are:
              -L            Not needed: redirects are followed, 20 at most, and not from
                            https to http; --no-location follows none.
              <url>         Without a scheme: https, or http on loopback. 'get' and
                            'transfers add' take several URLs; only 'get' takes patterns.
              -K            Without it, no file of options is read, not even ~/.curlrc.
              --compressed  Not needed on standard output; -H 'Accept-Encoding:' turns
                            it off. A file of -o or -O is decompressed only with it.
              -m            Even without it, a call ends after 10 seconds without
                            a connection, and after 60 without a byte.
              -u            Answers a 401 that asks for Digest, too; --basic turns that off.
              -b, -c        -c also reads the file, whose format is Tern's own; -b reads
                            curl's cookie files, too.
              -C -          If the server sends the whole body, the file is written from
                            the beginning.
              -v            Values of credentials, cookies and other secrets are masked.
              -i, -I, -D    The heads of redirects are printed, too.

            AUTHENTICATION
            --user, --bearer and --netrc provide credentials. Without them a 401 is a response like any other; with \
            --ask you are asked on the terminal, even if input and output are redirected. The credentials of --user \
            and --bearer are only sent to the server of the URL, and not to another one after a redirect; --netrc \
            sends each entry only to its host. Other users of this machine can see passwords, tokens and passphrases \
            on a command line, but not those that you enter when asked.

            EXIT CODES (curl's numbers, where curl has one)
            \(Outcome.table)
            """,
        version: version,
        subcommands: [
            GetCommand.self, DownloadCommand.self, UploadCommand.self, LinesCommand.self, EventsCommand.self,
            WebSocketCommand.self, RunCommand.self, TransfersCommand.self, DemoCommand.self,
        ]
    )

    static func main() async {
        do throws(CommandFailure) {
            let arguments = try CommandArguments(Array(CommandLine.arguments.dropFirst()))
            // At once, because to set up the grammar of all commands takes longer than everything else.
            if arguments.words == ["--version"] { return print(Self.version) }
            if arguments.makesTransfers {
                try await Self.makeTransfers(arguments)
            } else {
                await Self.main(arguments.words)
            }
        } catch {
            System.tell(TerminalText.note(error.message))
            System.exitNow(error.outcome.exitCode)
        }
    }

    private static func makeTransfers(_ arguments: CommandArguments) async throws(CommandFailure) {
        do {
            var operations: [(command: GetCommand, transfers: [TransferArgument])] = []
            for (index, operation) in arguments.operations.enumerated() {
                guard let command = try Self.parse(arguments, index) as? GetCommand else { continue }
                operations.append((command, operation.transfers))
            }
            let hidesErrors = operations.contains { $0.command.hidesErrors }
            try await CommandPlanDriver.run(hidingErrors: hidesErrors) { () throws(CommandFailure) in
                try CommandPlan(operations, hasReadStandardInput: arguments.hasReadStandardInput)
            }
        } catch let failure as CommandFailure {
            throw failure
        } catch {
            Self.exit(withError: error)
        }
    }

    /// Parses the options of an operation; a message names the line of a configuration file that is to blame.
    private static func parse(_ arguments: CommandArguments, _ index: Int) throws -> any ParsableCommand {
        do {
            let words = arguments.words(of: index)
            // To set up the grammar of all commands takes long, so do that only for the first operation.
            guard index > 0 else { return try Self.parseAsRoot(words) }
            return try GetCommand.parse(Array(words.dropFirst()))
        } catch {
            guard Self.exitCode(for: error) != .success else { throw error }
            let message = Self.message(for: error)
            for line in arguments.operations[index].lines {
                do {
                    _ = try GetCommand.parse(line.words + ["http://localhost"])
                } catch let other where GetCommand.message(for: other) == message {
                    throw CommandFailure(outcome: .usage, message: "\(line.place): \(message)")
                } catch {}
            }
            throw error
        }
    }
}
