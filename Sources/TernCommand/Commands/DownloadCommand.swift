// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import HTTPTypes
import Tern
import TernErrors
import TernFoundation

struct DownloadCommand: HTTPCommand {
    static let configuration = CommandConfiguration(
        commandName: "download",
        abstract: "Downloads the body of a response to a file.",
        discussion: """
            Without --output the file is named after the last part of the URL's path and stored in the current \
            directory. It appears only when it is complete; an existing file is replaced only with --force. If the \
            status is not 2xx, nothing is stored and the exit code is 22. With --report json, the result is on \
            standard output.

            With --continue, a file beside the output keeps the bytes of an interrupted download. The same command \
            then continues the download, even after Ctrl-C or a restart of the machine. If the server has sent a \
            strong ETag, another URL of the same file works, too. The download begins again at the first byte if the \
            file has changed on the server, or if the server cannot send a part. It also begins again if the ETag of \
            the response is weak, or if the response has neither an ETag nor a Last-Modified that is at least a minute \
            old.

            With --parallel, which needs --continue or --checksum, the command requests several parts at the same \
            time. This helps if the server limits the speed of each connection. The server must send parts. The \
            response must have a strong ETag, or no ETag and a Last-Modified that is at least a minute old. \
            Otherwise the command makes one request at a time.

            With --retry, an interrupted download continues where it stopped if the server has sent a strong ETag; \
            otherwise it starts again.

            Compressed content is stored decompressed, unless you give an Accept-Encoding field; the progress counts \
            the transferred bytes.

            EXAMPLES
              tern-cli download https://example.com/photos/dog.jpg
              tern-cli download https://example.com/photos/1 -o dog.jpg --force
              tern-cli download --continue https://example.com/models/large.bin
              tern-cli download --continue --parallel 4 https://example.com/models/large.bin
              tern-cli download --checksum sha256:9f86d0… https://example.com/large.bin
              tern-cli download --report json https://example.com/dog.jpg | jq -r .location
            """
    )
    static let writesBody = false

    @OptionGroup var call: CallOptions

    @OptionGroup var connection: ConnectionOptions

    @OptionGroup(title: "Sending") var content: ContentOptions

    @Option(name: .shortAndLong, help: ArgumentHelp("Store the body in this file.", valueName: "file"))
    var output: String?

    @Flag(help: "Replace an existing file.")
    var force = false

    @Flag(
        name: .customLong("continue"),
        help: "Continue an interrupted download, and keep what has arrived if this one is interrupted."
    )
    var continues = false

    @Option(
        help: ArgumentHelp(
            "Check the complete file: sha256, sha512, sha1 or md5, a colon, and the digits. Implies --continue.",
            valueName: "algorithm:digits"
        )
    )
    var checksum: ChecksumArgument?

    @Option(
        help: ArgumentHelp(
            "Request up to this many parts at the same time, from 1 to 16. Needs --continue or --checksum.",
            valueName: "count"
        )
    )
    var parallel: Int?

    private var isDurable: Bool { self.continues || self.checksum != nil }

    func validate() throws {
        guard let parallel = self.parallel else { return }
        guard self.isDurable else {
            throw ValidationError(
                "--parallel needs a record of the parts that have arrived; add --continue or --checksum, or omit --parallel."
            )
        }
        guard (1...16).contains(parallel) else { throw ValidationError("--parallel takes a number from 1 to 16.") }
    }

    func perform(_ delegate: CommandDelegate) async throws -> CallReport {
        if self.isDurable { return try await self.performContinuing(delegate) }
        let destination = try self.destination()
        let (client, request) = try await self.prepare(.get, self.content, delegate)
        let progress = ProgressLine(
            .download,
            label: destination.lastPathComponent,
            isQuiet: self.call.isQuiet || self.call.json
        )
        delegate.follow(progress)
        do {
            let (location, response) = try await self.download(request, to: destination, client, delegate, progress)
            progress.finish(succeeded: response.isSuccess)
            self.printTLSFacts(response)
            return self.report(response, location, progress)
        } catch {
            progress.finish(succeeded: false)
            throw error
        }
    }

    /// Starts an interrupted download again, as `--retry` allows, if its rest cannot be requested.
    private func download(
        _ request: Request,
        to destination: URL,
        _ client: Client,
        _ delegate: CommandDelegate,
        _ progress: ProgressLine
    ) async throws -> (URL, Response) {
        while true {
            do throws(ClientError) {
                return try await client.download(for: request, to: destination, delegate: progress)
            } catch {
                // The client itself repeats calls that fail before the head of the response arrives.
                guard error.isRetryable, error.context.response != nil, !error.context.isUndelivered,
                    let policy = self.call.retry.policy, policy.isIdempotent(request.method, request.fields),
                    let delay = delegate.nextRetry(policy)
                else { throw error }
                delegate.task(willBeginAgainAfter: delay, because: error)
                try await Task.sleep(for: delay)
                progress.restarts()
            }
        }
    }

    private func report(_ response: Response, _ location: URL, _ progress: ProgressLine) -> CallReport {
        var report = CallReport(response, bytes: progress.byteCount)
        if response.isSuccess {
            System.applyDefaultPermissions(toFile: location.path)
            report.location = location.path
            // If the transfer was compressed, the length of the file differs from the number of transferred bytes.
            if let byteCount = System.byteCount(ofFile: location.path), byteCount != progress.byteCount {
                report.bytes = byteCount
                report.encodedBytes = progress.byteCount
            }
        } else {
            try? FileManager.default.removeItem(at: location)
            report.fail(response, if: 0..., "nothing was stored")
        }
        return report
    }

    /// Returns the file to write; throws if there is no name, or if an existing file must not be replaced.
    func destination(replacing: Bool = false) throws -> URL {
        guard let path = self.output ?? FileName.suggested(by: self.url) else {
            throw CommandFailure(outcome: .usage, message: "the URL contains no file name; choose one with --output")
        }
        switch System.isRegularFile(atPath: path) {
        case false:
            throw CommandFailure(outcome: .fileFailed, message: "\(path) is not a regular file")
        case true where !self.force && !replacing:
            throw CommandFailure(outcome: .fileFailed, message: "\(path) exists; use --force to replace it")
        default:
            return URL(filePath: path)
        }
    }
}
