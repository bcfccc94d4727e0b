// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Tern
import TernFoundation
import TernTransferQueue

struct TransfersListCommand: TransferCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Lists the transfers of a queue.",
        discussion: """
            Works at any time, also while another process runs the queue. The list shows what is on the disk: a \
            running transfer is shown as waiting or delayed, with the progress that it had when it last stopped.

            The columns are the number, the state, the part that was transferred, the length, the priority, the \
            direction, the URL without its query, and the file. Two spaces or more separate them, and only the last \
            may contain a space. On a terminal, the first line has their names. With --json, each transfer is a line \
            of JSON.

            EXAMPLES
              tern-cli transfers list
              tern-cli transfers list | awk '$2 ~ /^failed/ { print $1 }'
              tern-cli transfers list --json | jq -r 'select(.state == "failed") | .message'
            """
    )

    @OptionGroup var place: TransferDirectoryOptions

    @OptionGroup(title: "Reporting") var reporting: TransferReportOptions

    func perform() async throws {
        let directory = URL(filePath: self.place.path, directoryHint: .isDirectory)
        let stored = try await TransferQueue.stored(in: directory)
        let rows = stored.transfers.map { TransferRow($0) }
        if self.reporting.json { return try await self.writeJSON(rows) }
        let output = OutputWriter()
        let text = TransferList.text(rows, showsTitles: System.isTerminal(System.standardOutput))
        try await output.whileRead { try await output.write(text.utf8) }
        if rows.isEmpty { self.note("no transfers in \(self.place.path); \(self.place.command("add URL")) adds one") }
        for row in rows where row.state == .failed {
            let advice = "after \(self.place.command("resume \(row.id)")), the next 'run' tries again"
            self.note("transfer \(row.id) failed: \(row.message ?? "unknown reason"); \(advice)")
        }
        if stored.isPaused { self.note("all transfers are paused; \(self.place.command("resume --all")) ends that") }
        for file in stored.damagedFiles { self.note(self.place.warning(about: file)) }
    }
}
