// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Tern

extension GetCommand {
    func run() async throws {
        try await CommandPlanDriver.run(hidingErrors: self.hidesErrors) { () throws(CommandFailure) -> CommandPlan in
            let file = self.output.output.map { TransferArgument.Output.file($0) }
            let output: TransferArgument.Output? = self.output.remoteName ? .remoteName : file
            let transfer = TransferArgument(url: self.call.url, output: output, uploadFile: self.typedUploadFile)
            return try CommandPlan([(self, [transfer])])
        }
    }

    func with(_ transfer: TransferArgument, _ url: (text: String, values: [String])) -> GetCommand {
        var command = self
        command.call.url = url.text
        command.typedUploadFile = transfer.uploadFile
        command.output.remoteName = transfer.output == .remoteName
        command.output.output =
            if case .file(let path) = transfer.output { URLPattern.name(path, url.values) } else { nil }
        return command
    }

    /// Asks once for the secrets that several calls need, and returns the command as if the user had typed them.
    func answered(_ questioner: some Questioner) async throws(CommandFailure) -> GetCommand {
        var command = self
        let secrets = try await self.connection.secrets(asking: questioner)
        if let user = self.connection.signIn.userWithoutPassword, let password = secrets.password {
            command.connection.signIn.user = "\(user):\(password)"
        }
        if let passphrase = secrets.passphrase { command.connection.tls.typedPassphrase = passphrase }
        return command
    }

    var readsStandardInput: Bool {
        if self.uploadFile == "-" || self.call.reporting.writeOut == "@-" { return true }
        if self.connection.header.contains("@-") || self.connection.cookies.cookie.contains("-") { return true }
        if self.content.query.contains(where: { EncodedArgument($0).source == .file("-") }) { return true }
        return self.content.items.contains { item in
            switch item.kind {
            case .data, .binary, .json: ContentSource(item.text) == .file("-")
            case .urlEncode: EncodedArgument(item.text).source == .file("-")
            case .form: [.file("-"), .textOfFile("-")].contains((try? FormArgument(item.text))?.content)
            case .raw, .formString: false
            }
        }
    }
}

extension CallOptions {
    /// Returns the URLs that the typed one stands for; with `--globoff`, only the typed one.
    func pattern() throws(CommandFailure) -> URLPattern { try self.pattern(of: self.url) }

    func pattern(of url: String) throws(CommandFailure) -> URLPattern {
        guard !self.globoff else { return URLPattern(literal: url) }
        do throws(URLPattern.Problem) {
            return try URLPattern(parsing: url)
        } catch {
            throw CommandFailure(
                outcome: .invalidRequest,
                message: "the pattern in the URL cannot be used, at character \(error.position): \(error.reason); "
                    + "use --globoff to send brackets and braces as they are"
            )
        }
    }
}

extension HTTPCommand {
    /// Makes the call, unless the URL has a pattern.
    func run() async throws {
        do throws(CommandFailure) {
            try self.checkPattern()
        } catch {
            if !self.hidesErrors { System.tell(TerminalText.note(error.message)) }
            throw ExitCode(error.outcome.exitCode)
        }
        try await self.runCall()
    }

    private func checkPattern() throws(CommandFailure) {
        guard try self.call.pattern().isPattern else { return }
        throw CommandFailure(
            outcome: .usage,
            message: "a URL with a pattern stands for several, and only 'tern-cli get' makes several calls; use "
                + "--globoff to send brackets and braces as they are"
        )
    }
}
