// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import HTTPTypes
import Tern
import TernFoundation

/// A protocol of resumable uploads as typed, such as `tus`.
enum UploadProtocolArgument: String, CaseIterable, ExpressibleByArgument, Sendable {
    case draft
    case draft6 = "draft-6"
    case tus

    var uploadProtocol: UploadProtocol {
        switch self {
        case .draft: .draft(.eight)
        case .draft6: .draft(.six)
        case .tus: .tus
        }
    }
}

extension UploadCommand {
    func performResuming(_ delegate: CommandDelegate) async throws -> CallReport {
        guard self.file != "-" else {
            throw CommandFailure(
                outcome: .usage,
                message: "standard input cannot be sent again from the middle; name a file, or leave out --resumable "
                    + "and the options that imply it"
            )
        }
        let (client, request) = try await self.prepare(.put, nil, delegate, isDurable: true)
        let file = URL(filePath: self.file)
        let progress = ProgressLine(
            .upload,
            label: file.lastPathComponent,
            isQuiet: self.call.isQuiet || self.call.json,
            countsEarlierBytes: true
        )
        delegate.follow(progress)
        do {
            let upload = try await client.upload(
                for: request,
                fromFile: file,
                resuming: self.resumption(of: file),
                delegate: progress
            )
            progress.finish(succeeded: upload.response?.isSuccess ?? true)
            return try await self.report(upload)
        } catch {
            progress.finish(succeeded: false)
            throw error
        }
    }

    private func resumption(of file: URL) -> UploadResumption {
        let name = TusOptions.Metadata("filename", file.lastPathComponent.utf8)
        return UploadResumption(
            uploadProtocol: (self.protocolName ?? .draft).uploadProtocol,
            policy: self.call.retry.resumptionPolicy,
            record: self.record.map { URL(filePath: $0) },
            maximumPartByteCount: self.partSize.map { Int64($0.byteCount) },
            restartsChangedFile: self.restartChanged,
            tus: TusOptions(metadata: name.map { [$0] } ?? [])
        )
    }

    private func report(_ upload: ResumedUpload) async throws -> CallReport {
        if let response = upload.response { self.printTLSFacts(response) }
        let output = OutputWriter()
        try await output.whileRead { try await output.write(upload.data) }
        var report = upload.response.map { CallReport($0, bytes: upload.byteCount) } ?? CallReport()
        report.bytes = upload.byteCount
        report.resumedBytes = upload.resumedByteCount
        report.restart = upload.restart?.description
        if let response = upload.response { report.fail(response, if: 300..., "the upload was not accepted") }
        guard !self.call.isQuiet, !self.call.json else { return report }
        for note in Self.notes(about: upload) { System.tell(TerminalText.note(note)) }
        return report
    }

    private static func notes(about upload: ResumedUpload) -> [String] {
        var notes: [String] = []
        if let reason = upload.restart {
            notes.append("the upload began again: \(reason)")
        } else if upload.resumedByteCount > 0 {
            notes.append("the server already had \(NumberFormat.bytes(upload.resumedByteCount))")
        }
        if upload.response == nil { notes.append("the server has the whole file, but its answer is lost") }
        if !upload.isResumable { notes.append("the server does not support resumable uploads") }
        return notes
    }
}

extension RetryOptions {
    /// The rules of `--retry` for a transfer that continues, or the defaults.
    var resumptionPolicy: ResumptionPolicy {
        guard let count = self.retry else { return .automatic }
        guard let policy = self.policy else { return .manual }
        return ResumptionPolicy(maximumAttemptCount: count + 1, backoff: policy.backoff)
    }
}
