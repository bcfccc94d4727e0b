// SPDX-License-Identifier: Apache-2.0
import ArgumentParser

struct TransfersCommand: AsyncParsableCommand, Sendable {
    static let configuration = CommandConfiguration(
        commandName: "transfers",
        abstract: "Keeps a queue of downloads and uploads on disk, and performs them.",
        discussion: """
            The queue is a directory. 'add' stores a transfer in it and 'run' performs all of them, several at the \
            same time. Each continues where it stopped, if the server supports that: after a lost connection, after \
            Ctrl-C, after a crash, and after a restart of the machine. 'run' tries again after failures that may go \
            away, and waits while the network is gone.

            No secrets are stored. Give passwords and tokens to 'run'. The query of a URL is stored, in a file that \
            only you can read.

            One process uses a directory at a time, except that 'list' works at any time.

            EXAMPLES
              tern-cli transfers add https://example.com/models/large.bin
              tern-cli transfers add https://example.com/videos/1 --upload sea.mp4
              tern-cli transfers list
              tern-cli transfers run
              tern-cli transfers run --netrc --concurrent 8
              tern-cli transfers pause 3
              tern-cli transfers resume 3 && tern-cli transfers run
              tern-cli transfers remove --completed
            """,
        subcommands: [
            TransfersListCommand.self, TransfersAddCommand.self, TransfersRunCommand.self, TransfersPauseCommand.self,
            TransfersResumeCommand.self, TransfersRemoveCommand.self,
        ]
    )
}
