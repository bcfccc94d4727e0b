// SPDX-License-Identifier: Apache-2.0
import ArgumentParser

/// A client of an AWS-style service that signs every request before sending it.
@main
struct SignedClient: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "SignedClient",
        abstract: "Sends requests that are signed with AWS Signature Version 4.",
        subcommands: [DemoCommand.self, SendCommand.self],
        defaultSubcommand: DemoCommand.self
    )
}
