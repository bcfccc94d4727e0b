// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Tern
import TernFoundation

/// A checksum as typed, such as `sha256:9f86d0…`.
struct ChecksumArgument: ExpressibleByArgument, Equatable, Sendable {
    let checksum: Checksum

    init?(argument: String) {
        guard let checksum = Checksum(argument) else { return nil }
        self.checksum = checksum
    }
}

extension DownloadCommand {
    func performContinuing(_ delegate: CommandDelegate) async throws -> CallReport {
        // If an earlier process was killed at the very end of the download, it may have left both the complete file and
        // the record of the download. In this case, the existing file does not need `--force`.
        let place = try self.destination(replacing: true)
        let destination = Client.hasUnfinishedDownload(to: place) ? place : try self.destination()
        let (client, request) = try await self.prepare(.get, self.content, delegate, isDurable: true)
        let progress = ProgressLine(
            .download,
            label: destination.lastPathComponent,
            isQuiet: self.call.isQuiet || self.call.json,
            countsEarlierBytes: true
        )
        delegate.follow(progress)
        do {
            let download = try await client.download(
                for: request,
                to: destination,
                resuming: self.call.retry.resumptionPolicy,
                expecting: self.checksum?.checksum,
                maximumConcurrentRequestCount: self.parallel ?? 1,
                delegate: progress
            )
            progress.finish(succeeded: true)
            if let response = download.response { self.printTLSFacts(response) }
            return self.report(download)
        } catch {
            progress.finish(succeeded: false)
            throw error
        }
    }

    private func report(_ download: ResumedDownload) -> CallReport {
        System.applyDefaultPermissions(toFile: download.location.path)
        var report = download.response.map { CallReport($0, bytes: download.byteCount) } ?? CallReport()
        report.bytes = download.byteCount
        report.location = download.location.path
        report.resumedBytes = download.resumedByteCount
        report.restart = download.restart?.description
        guard !self.call.isQuiet, !self.call.json else { return report }
        if let reason = download.restart {
            System.tell(TerminalText.note("the download began again: \(reason)"))
        } else if download.resumedByteCount > 0 {
            let count = NumberFormat.bytes(download.resumedByteCount)
            System.tell(TerminalText.note("an earlier download had already stored \(count)"))
        }
        return report
    }
}
