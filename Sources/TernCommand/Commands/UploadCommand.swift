// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import HTTPTypes
import Tern

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// `tern-cli upload`.
struct UploadCommand: HTTPCommand {
    static let configuration = CommandConfiguration(
        commandName: "upload",
        abstract: "Sends a file and prints the body of the response.",
        discussion: """
            The file is read while it is sent, with PUT unless --method names another method. With - instead of a \
            file, standard input is sent in chunks as it arrives, because its length is unknown. If the status is not \
            2xx, the exit code is 22.

            EXAMPLES
              tern-cli upload https://example.com/photos/2 dog.jpg
              tern-cli upload -X POST https://example.com/photos dog.jpg
              tar c photos | tern-cli upload https://example.com/backup -
              tar c photos | tern-cli upload -u anna --basic https://example.com/backup -
            """
    )

    @OptionGroup var call: CallOptions

    @Argument(help: "The file to send; - is standard input.")
    var file: String

    func perform(_ delegate: CommandDelegate) async throws -> CallReport {
        let (client, request) = try await self.call.prepare(.put, nil, delegate)
        let isStandardInput = self.file == "-"
        let name = isStandardInput ? "standard input" : URL(filePath: self.file).lastPathComponent
        let progress = ProgressLine(.upload, label: name, isQuiet: self.call.isQuiet || self.call.json)
        let (body, response) = try await self.send(request, by: client, isStandardInput, progress)
        self.call.printTLSFacts(response)
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
