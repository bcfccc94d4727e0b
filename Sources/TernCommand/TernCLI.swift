// SPDX-License-Identifier: Apache-2.0
import ArgumentParser

/// The command line: each verb of the client is a command.
@main
struct TernCLI: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tern-cli",
        abstract: "Fetches, uploads, downloads and streams over HTTP and HTTPS, and speaks WebSocket.",
        usage: """
            tern-cli [<options>] <url>
            tern-cli <subcommand> ...
            """,
        discussion: """
            With a URL and no subcommand, it is 'get', and takes curl's options in curl's way: 'tern-cli get --help' lists \
            them. Bodies go to standard output and can be piped; progress and messages go to standard error, progress only \
            if that is a terminal.

            EXAMPLES
              tern-cli example.com/photos/1
              tern-cli -sSL -H "Accept: text/html" https://example.com | head
              tern-cli -X POST -d '{"a":1}' https://example.com/photos
              tern-cli --json '{"a":1}' https://example.com/photos
              tern-cli -F photo=@dog.jpg https://example.com/photos
              tern-cli -u anna:woof -v https://example.com/albums
              tern-cli -O -C - https://example.com/photos.zip
              tern-cli download https://example.com/photos/1.jpg -o dog.jpg
              tern-cli upload https://example.com/photos/2 dog.jpg
              tern-cli lines https://example.com/photos/updates --limit 5
              tern-cli websocket wss://example.com/photos/live
              tern-cli run photos.http --name fetchPhoto --var id=3
              tern-cli demo

            IF YOU KNOW CURL
            Options have curl's names and letters; one that is not supported says what to \
            use. What differs:
              -L            Redirects are followed without it, 20 at most, and not from
                            https to http; --no-location follows none.
              <url>         Without a scheme it is https, or http on loopback. One URL
                            at a time; [] and {} are sent.
              --compressed  Done without it; -H 'Accept-Encoding:' asks for none.
              -m            A call ends by itself after 10 seconds without a
                            connection, and after 60 without a byte.
              -u            --digest and --anyauth wait for the 401.
              -b, -c        -c also reads the file, which has a form of its own; -b
                            reads files of curl's, too.
              -C -          Where the server sends all of it, the file is written from
                            its beginning.
              -v            Values of credentials, cookies and the like are masked.
              -i, -I, -D    The heads of redirects are printed, too.

            SIGNING IN
            --user, --bearer and --netrc say who you are. Without them a 401 is a response like any other; with --ask it \
            is asked about on the terminal, wherever input and output lead. What is given is for the server of the URL: \
            it is not sent to another one that a redirect leads to. Passwords, tokens and passphrases in a command line \
            can be seen by other users of the machine. Those that are asked for cannot.

            EXIT CODES (curl's numbers, where curl has one)
            \(Outcome.table)
            """,
        version: "tern-cli 0.1.0",
        subcommands: [
            GetCommand.self, DownloadCommand.self, UploadCommand.self, LinesCommand.self, WebSocketCommand.self,
            RunCommand.self, DemoCommand.self,
        ]
    )

    /// Reads the command line in curl's grammar, and runs the command.
    static func main() async {
        do throws(CommandFailure) {
            let arguments = try CommandArguments(Array(CommandLine.arguments.dropFirst()))
            await Self.main(arguments.words)
        } catch {
            System.tell(TerminalText.note(error.message))
            System.exitNow(error.outcome.exitCode)
        }
    }
}
