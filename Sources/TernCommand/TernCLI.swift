// SPDX-License-Identifier: Apache-2.0
import ArgumentParser

/// The command line: each verb of the client is a command.
@main
struct TernCLI: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tern-cli",
        abstract: "Fetches, uploads, downloads and streams over HTTP and HTTPS, and speaks WebSocket.",
        discussion: """
            Bodies go to standard output and can be piped; progress and messages go to standard error, progress only if \
            that is a terminal.

            EXAMPLES
              tern-cli get https://example.com/photos/1
              tern-cli get -H "Accept: text/html" https://example.com | head
              tern-cli download https://example.com/photos/1.jpg -o dog.jpg
              tern-cli upload https://example.com/photos/2 dog.jpg
              tern-cli lines https://example.com/photos/updates --limit 5
              tern-cli websocket wss://example.com/photos/live
              tern-cli get --user anna https://example.com/albums
              tern-cli run photos.http --name fetchPhoto --var id=3
              tern-cli demo

            SIGNING IN
            --user, --bearer and --netrc say who you are before the server asks. Without them a 401 is a response like any \
            other; with --ask it is asked about on the terminal, wherever input and output lead. What is given is for the \
            server of the URL: it is not sent to another one that a redirect leads to. Passwords, tokens and passphrases \
            in a command line can be seen by other users of the machine. Those that are asked for cannot.

            EXIT CODES (curl's numbers, where curl has one)
            \(Outcome.table)
            """,
        version: "0.1.0",
        subcommands: [
            GetCommand.self, DownloadCommand.self, UploadCommand.self, LinesCommand.self, WebSocketCommand.self,
            RunCommand.self, DemoCommand.self,
        ]
    )
}
