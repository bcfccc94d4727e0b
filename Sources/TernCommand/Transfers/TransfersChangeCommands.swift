// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Tern
import TernTransferQueue

struct TransferIDArgument: ExpressibleByArgument, Equatable, Sendable {
    let id: TransferID

    init?(argument: String) {
        guard let id = TransferID(argument) else { return nil }
        self.id = id
    }
}

struct TransferSelection: ParsableArguments, Sendable {
    @Argument(help: ArgumentHelp("The numbers of transfers.", valueName: "id"))
    var ids: [TransferIDArgument] = []

    @Flag(help: "All transfers.")
    var all = false
}

struct TransfersPauseCommand: TransferCommand {
    static let configuration = CommandConfiguration(
        commandName: "pause",
        abstract: "Pauses transfers until 'resume'.",
        discussion: """
            'run' does not start a transfer that is paused. With --all, 'run' starts nothing at all, not even \
            transfers that are added later, until 'resume --all'.

            EXAMPLES
              tern-cli transfers pause 3 4
              tern-cli transfers pause --all
            """
    )

    @OptionGroup var selection: TransferSelection

    @OptionGroup var place: TransferDirectoryOptions

    @OptionGroup(title: "Reporting") var reporting: TransferReportOptions

    func validate() throws {
        guard self.selection.all == self.selection.ids.isEmpty else {
            throw ValidationError("Give the numbers of transfers, or --all.")
        }
    }

    func perform() async throws {
        let queue = try await self.openQueue()
        if self.selection.all { try await queue.pauseAll() }
        for id in self.selection.ids.map(\.id) {
            try await queue.pause(id)
            guard let row = queue.transfer(id).map({ TransferRow($0) }), row.state != .paused else { continue }
            self.note("transfer \(id) cannot be paused; its state is: \(row.state.rawValue)")
        }
        if self.reporting.json { try await self.writeJSON(self.selection.rows(of: queue)) }
    }
}

struct TransfersResumeCommand: TransferCommand {
    static let configuration = CommandConfiguration(
        commandName: "resume",
        abstract: "Lets paused, failed and delayed transfers go on with the next 'run'.",
        discussion: """
            With --all, ends the effect of 'pause --all', and resumes each transfer that is paused, failed or delayed, \
            except uploads that the server may have processed already.

            If an upload has failed with the reason possibly-processed, find out whether the server has the file. If \
            it does, remove the transfer. Otherwise, resume it by its number: then it is sent again.

            EXAMPLES
              tern-cli transfers resume 3 && tern-cli transfers run
              tern-cli transfers resume --all
            """
    )

    @OptionGroup var selection: TransferSelection

    @OptionGroup var place: TransferDirectoryOptions

    @OptionGroup(title: "Reporting") var reporting: TransferReportOptions

    func validate() throws {
        guard self.selection.all == self.selection.ids.isEmpty else {
            throw ValidationError("Give the numbers of transfers, or --all.")
        }
    }

    func perform() async throws {
        let queue = try await self.openQueue()
        if self.selection.all {
            try await queue.resumeAll()
            for transfer in queue.transfers {
                switch transfer.state {
                case .failed(.possiblyProcessed): self.explain(transfer.id)
                case .paused, .failed, .delayed: try await queue.resume(transfer.id)
                case .waiting, .running, .completed: break
                }
            }
        }
        for id in self.selection.ids.map(\.id) {
            try await queue.resume(id)
            guard let transfer = queue.transfer(id), transfer.state == .completed else { continue }
            self.note("transfer \(id) is completed; to transfer the file again, add it again")
        }
        if queue.isPaused { self.note("all transfers are paused; \(self.place.command("resume --all")) ends that") }
        if self.reporting.json { try await self.writeJSON(self.selection.rows(of: queue)) }
    }

    private func explain(_ id: TransferID) {
        let advice = "after \(self.place.command("resume \(id)")), 'run' sends the file again"
        self.note("transfer \(id) stays failed because the server may have processed the upload; \(advice)")
    }
}

struct TransfersRemoveCommand: TransferCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Removes transfers from a queue.",
        discussion: """
            Deletes what is left of an unfinished download. The file of a completed download stays, and so does the \
            file of an upload. The command does not contact the server, so the server keeps what it has of an upload \
            until the upload expires. The numbers of removed transfers are not used again.

            EXAMPLES
              tern-cli transfers remove 3
              tern-cli transfers remove --completed
            """
    )

    @OptionGroup var selection: TransferSelection

    @Flag(help: "All transfers that are completed.")
    var completed = false

    @OptionGroup var place: TransferDirectoryOptions

    @OptionGroup(title: "Reporting") var reporting: TransferReportOptions

    func validate() throws {
        let ways = [self.selection.all, self.completed, !self.selection.ids.isEmpty].count { $0 }
        guard ways == 1 else { throw ValidationError("Give the numbers of transfers, or --completed, or --all.") }
    }

    func perform() async throws {
        let queue = try await self.openQueue()
        var ids = self.selection.ids.map(\.id)
        if self.selection.all {
            ids = queue.transfers.map(\.id) + queue.damagedFiles.compactMap(\.id)
        } else if self.completed {
            ids = queue.transfers.filter { $0.state == .completed }.map(\.id)
        }
        let rows = Set(ids).sorted().compactMap { queue.transfer($0).map { TransferRow($0) } }
        // The options of 'run' for the connection and the credentials are not known here.
        for id in Set(ids).sorted() { try await queue.remove(id, tellsServer: false) }
        if self.reporting.json { try await self.writeJSON(rows) }
    }
}

extension TransferSelection {
    fileprivate func rows(of queue: TransferQueue) -> [TransferRow] {
        let transfers = self.all ? queue.transfers : self.ids.compactMap { queue.transfer($0.id) }
        return transfers.map { TransferRow($0) }
    }
}
