// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Tern
import TernFoundation
import TernTransferQueue

/// A command about the transfers of a queue, which Ctrl-C cancels.
protocol TransferCommand: AsyncParsableCommand, Sendable {
    var place: TransferDirectoryOptions { get }
    var reporting: TransferReportOptions { get }
    func perform() async throws
}

extension TransferCommand {
    func run() async throws {
        let (result, signal) = await Interruption.run { try await self.perform() }
        guard case .failure(let error) = result else { return }
        if let code = error as? ExitCode { throw code }
        let failure = (error as? TransferQueueError).map { CommandFailure($0, self.place) as any Error }
        var report = CallReport(failure ?? error)
        if error is CancellationError || report.outcome == .interrupted {
            report.outcome = Outcome(signal: signal) ?? .interrupted
            report.message = nil
        }
        if report.outcome == .ok { return }
        if self.reporting.json {
            let output = OutputWriter()
            try await output.whileRead { try await output.write(line: report.json) }
        } else if let message = report.message {
            System.tell(TerminalText.note(message))
        }
        throw ExitCode(report.outcome.exitCode)
    }

    /// Writes a note, unless the user wants no notes, or a program reads the output.
    func note(_ message: String) {
        if !self.reporting.quiet, !self.reporting.json { System.tell(TerminalText.note(message)) }
    }

    /// Opens the queue to change it, without running it.
    func openQueue() async throws(TransferQueueError) -> TransferQueue {
        try await TransferQueue(directory: self.place.prepare(), client: Client())
    }

    func writeJSON(_ rows: [TransferRow]) async throws {
        let output = OutputWriter()
        try await output.whileRead { for row in rows { try await output.write(line: JSONLine.encode(row)) } }
    }
}

extension CommandFailure {
    init(_ error: TransferQueueError, _ place: TransferDirectoryOptions) {
        switch error {
        case .inUse:
            let advice = "wait until it ends, or end it with Ctrl-C, after which its transfers are still there"
            let process = "another process, such as 'tern-cli transfers run', uses the directory \(place.path)"
            self.init(outcome: .fileFailed, message: "\(process); \(advice)")
        case .file(.notPermitted):
            let reason = "you must own it and the files in it, and you alone must have permission to write to it"
            self.init(outcome: .fileFailed, message: "\(place.path) cannot be used: \(reason)")
        case .file(.folderNotFound):
            let reason = "it is not a folder, or the folder around it does not exist; links are not accepted"
            self.init(outcome: .fileFailed, message: "\(place.path) cannot be used: \(reason)")
        case .file(let failure):
            self.init(outcome: .fileFailed, message: "\(place.path) cannot be used: \(failure)")
        case .newerVersion:
            let reason = "a later version of tern-cli wrote it; use that version"
            self.init(outcome: .fileFailed, message: "\(place.path) cannot be used: \(reason)")
        case .unsuitable(let reason): self.init(reason, place)
        case .unknownTransfer(let id):
            let advice = "\(place.command("list")) shows all transfers"
            self.init(outcome: .usage, message: "there is no transfer \(id) in \(place.path); \(advice)")
        case .full(let limit):
            let advice = "\(place.command("remove --completed")) removes those that are complete"
            self.init(outcome: .usage, message: "the queue has \(limit) transfers, which is the maximum; \(advice)")
        case .alreadyRunning: self.init(outcome: .other, message: "\(error)")
        }
    }

    private init(_ reason: UnsuitableTransfer, _ place: TransferDirectoryOptions) {
        switch reason {
        case .secretField(let name):
            let option = name.lowercased() == "cookie" ? "--cookie" : "--header, --user or --bearer"
            let advice = "tern-cli stores no secrets; give it to \(place.command("run")), as \(option)"
            self.init(outcome: .usage, message: "the field \(name) is a secret; \(advice)")
        case .userInformation:
            let advice = "tern-cli stores no secrets; leave them out, and use --user or --netrc"
            let run = "with \(place.command("run"))"
            let problem = "the URL contains a user name or a password"
            self.init(outcome: .usage, message: "\(problem); \(advice) \(run)")
        case .destinationInQueue(let id):
            let advice = "choose another --output, or first use \(place.command("remove \(id)"))"
            self.init(outcome: .usage, message: "the transfer \(id) in the list downloads to the same file; \(advice)")
        default: self.init(outcome: .invalidRequest, message: "\(reason)")
        }
    }
}
