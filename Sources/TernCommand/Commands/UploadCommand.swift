// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import HTTPTypes
import Tern
import TernFoundation

struct UploadCommand: HTTPCommand {
    static let configuration = CommandConfiguration(
        commandName: "upload",
        abstract: "Sends a file and prints the body of the response.",
        discussion: """
            The file is read while it is sent, with PUT unless --method names another method. With - instead of a \
            file, standard input is sent in chunks as it arrives, because its length is unknown. If the status is not \
            2xx, the exit code is 22.

            With --resumable, an interrupted upload continues with the first byte that the server does not have: after \
            a lost connection, and when you repeat the command after Ctrl-C or a restart of the machine. For this, \
            tern-cli keeps a record beside the file. The server must support the protocol "Resumable Uploads for \
            HTTP", or tus with --protocol tus.

            EXAMPLES
              tern-cli upload https://example.com/photos/2 dog.jpg
              tern-cli upload -X POST https://example.com/photos dog.jpg
              tern-cli upload --resumable https://example.com/videos/1 large.mp4
              tern-cli upload --resumable --protocol tus https://example.com/files large.mp4
              tar c photos | tern-cli upload https://example.com/backup -
              tar c photos | tern-cli upload -u anna --basic https://example.com/backup -
            """
    )

    @OptionGroup var call: CallOptions

    @OptionGroup var connection: ConnectionOptions

    @Argument(help: "The file to send; - is standard input.")
    var file: String

    @Flag(help: "Continue an interrupted upload, and keep a record for the next attempt if this one is interrupted.")
    var resumable = false

    @Option(
        name: .customLong("protocol"),
        help: ArgumentHelp(
            "The protocol of a resumable upload: draft (version 8), draft-6 or tus. Implies --resumable.",
            valueName: "name"
        )
    )
    var protocolName: UploadProtocolArgument?

    @Option(help: ArgumentHelp("Keep the record of the upload in this file. Implies --resumable.", valueName: "file"))
    var record: String?

    @Option(help: ArgumentHelp("Send parts of at most this size. Implies --resumable.", valueName: "size"))
    var partSize: ByteCountArgument?

    @Flag(help: "Begin again if the file has changed since the earlier command. Implies --resumable.")
    var restartChanged = false

    private var resumes: Bool {
        self.resumable || self.protocolName != nil || self.record != nil || self.partSize != nil || self.restartChanged
    }

    func perform(_ delegate: CommandDelegate) async throws -> CallReport {
        if self.resumes { return try await self.performResuming(delegate) }
        let (client, request) = try await self.prepare(.put, nil, delegate)
        let isStandardInput = self.file == "-"
        let name = isStandardInput ? "standard input" : URL(filePath: self.file).lastPathComponent
        let progress = ProgressLine(.upload, label: name, isQuiet: self.call.isQuiet || self.call.json)
        let (body, response) = try await self.send(request, by: client, isStandardInput, progress)
        self.printTLSFacts(response)
        let output = OutputWriter()
        try await output.whileRead { try await output.write(body) }
        var report = CallReport(response, bytes: progress.byteCount)
        report.fail(response, if: 300..., "the upload was not accepted")
        return report
    }

    private func send(
        _ request: Request,
        by client: Client,
        _ isStandardInput: Bool,
        _ progress: ProgressLine
    ) async throws(ClientError) -> (Data, Response) {
        do throws(ClientError) {
            let (body, response) =
                isStandardInput
                ? try await client.upload(for: request, from: StandardInput(), delegate: progress)
                : try await client.upload(for: request, fromFile: URL(filePath: self.file), delegate: progress)
            progress.finish(succeeded: response.isSuccess)
            return (body, response)
        } catch {
            progress.finish(succeeded: false)
            throw error
        }
    }
}
