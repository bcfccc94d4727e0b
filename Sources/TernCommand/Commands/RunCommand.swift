// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import HTTPTypes
import Tern
import TernRequestFiles

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// `tern-cli run`.
struct RunCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Sends the requests of an .http file.",
        discussion: """
            The file is one that editors run, too: requests separated by ###, variables as {{name}}. All requests are sent \
            in their order, until one fails, or only the one with the --name. Each variable is escaped for the place where \
            it stands, as in the code that the plug-in TernEndpoints makes of the file. A variable without a value, a name \
            that is not in the file, and a file that cannot be read as a whole are errors, and nothing is sent.

            Bodies go to standard output as they arrive; of a WebSocket each message is a line, and each line of standard \
            input is sent. A body that the file takes from another one, as in "< ./dog.jpg", is read from there, or from \
            what --var file=… names.

            EXAMPLES
              tern-cli run photos.http --list
              tern-cli run photos.http --name fetchPhoto --var id=3
              tern-cli run photos.http --name addPhoto --var title="The \\"sea\\"" --var 'tags=["blue"]'
              tern-cli run photos.http --var baseURL=https://test.example.com --fail
            """
    )
    /// The variable that names the file of a body.
    static let fileVariable = "file"

    @Argument(help: "An .http file.")
    var file: String

    @Option(help: "Send only the request with this name.")
    var name: String?

    @Option(
        name: .customLong("var"),
        help: ArgumentHelp("Give a variable this value; may be repeated.", valueName: "name=value")
    )
    var variables: [VariableArgument] = []

    @Flag(help: "Print what is in the file, and send nothing.")
    var list = false

    @OptionGroup var body: BodyOptions

    @Option(help: ArgumentHelp("Close a WebSocket after this many messages came.", valueName: "count"))
    var limit: Int?

    @Option(help: ArgumentHelp("End each call after this time; no limit by default.", valueName: "seconds"))
    var timeout: SecondsArgument?

    @OptionGroup(title: "Trying again") var retry: RetryOptions

    @OptionGroup var connection: ConnectionOptions

    @Flag(help: "Tell each result as one line of JSON.")
    var json = false

    @Flag(help: "Show where the time went, at the end of each call, on standard error.")
    var timing = false

    @Flag(name: .shortAndLong, help: "Do not name the requests; errors are still told.")
    var quiet = false

    func validate() throws {
        if let limit, limit < 1 { throw ValidationError("--limit takes a number from 1 on.") }
    }

    func run() async throws {
        let file = try self.read()
        if self.list {
            let output = OutputWriter()
            return try await output.whileRead { try await output.write(RequestFileList.text(file).utf8) }
        }
        let run: RequestFileRun
        do throws(CommandFailure) {
            let folder = URL(filePath: self.file).deletingLastPathComponent()
            run = try RequestFileRun(file, name: self.name, self.variables, folder: folder)
        } catch {
            throw Self.exit(error)
        }
        for binding in run.bindings {
            if run.bindings.count > 1, !self.quiet, !self.json {
                let title = binding.definition.name ?? binding.definition.title ?? binding.definition.urlText
                System.tell("### \(TerminalText.harmless(title))\n")
            }
            let outcome = try await self.conduct(binding.address) { try await self.perform(binding, $0) }
            if outcome != .ok { throw ExitCode(outcome.exitCode) }
        }
    }

    /// Reads the file; what is wrong in it is told as compilers do.
    private func read() throws -> RequestFile {
        guard let bytes = try? Data(contentsOf: URL(filePath: self.file)) else {
            throw Self.exit(CommandFailure(outcome: .usage, message: "\(self.file) cannot be read"))
        }
        do throws(RequestFileFailure) {
            let file = try RequestFile(Array(bytes))
            if !self.quiet, !self.json { self.tell(file.warnings) }
            return file
        } catch {
            self.tell(error.diagnostics)
            throw ExitCode(Outcome.invalidRequest.exitCode)
        }
    }

    private func tell(_ diagnostics: [Diagnostic]) {
        for diagnostic in diagnostics { System.tell("\(self.file):\(diagnostic)\n") }
    }

    private static func exit(_ failure: CommandFailure) -> ExitCode {
        System.tell("tern-cli: \(failure.message)\n")
        return ExitCode(failure.outcome.exitCode)
    }
}
