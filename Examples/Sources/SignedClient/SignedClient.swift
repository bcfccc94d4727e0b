// SPDX-License-Identifier: Apache-2.0
import ArgumentParser

/// A client of an AWS-style service: every request is signed as it leaves.
@main
struct SignedClient: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "SignedClient",
        abstract: "Sends requests that are signed by AWS Signature Version 4.",
        subcommands: [DemoCommand.self, SendCommand.self],
        defaultSubcommand: DemoCommand.self
    )
}
