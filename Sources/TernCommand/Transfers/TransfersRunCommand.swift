// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Tern
import TernFoundation
import TernTransferQueue

struct TransfersRunCommand: TransferCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Performs the transfers of a queue.",
        discussion: """
            Ends when no transfer can go on by itself: each is completed, failed or paused. Tries again after a lost \
            connection, and after a status such as 429 or 503. While the network is gone, waits for it. Ctrl-C ends \
            the command at any time, and the next 'run' continues; so does a 'run' after a crash.

            On a terminal, standard error has a table of the running transfers. Otherwise, each event is a line. With \
            --json, each event is a line of JSON on standard output, whose member "event" is started, delayed, \
            paused, completed or failed. The last line has the members "outcome", "exitCode" and, unless the command \
            was stopped or could not run, "transfers".

            If a transfer has failed, now or in an earlier 'run', the exit code is that of the failed transfer with \
            the lowest number: 22 for a status, 7 if the network was unreachable, 56 for a connection that failed or \
            was lost, or for an upload that may have been processed, 8 for a broken rule of HTTP or a wrong \
            checksum, 35 for TLS, 23 for a file, 3 for an invalid request, 1 for any other failure.

            With --forever, the command does not end, but waits for more transfers. It releases the directory when \
            no transfer can go on by itself; then 'add' and other commands can change the queue.

            --user, --bearer, --cookie and --pin are for one server. If the transfers use several servers, use a \
            --directory for each server, or, for credentials alone, --netrc or --netrc-file with an entry for each \
            host.

            EXAMPLES
              tern-cli transfers run
              tern-cli transfers run --concurrent 8 --concurrent-per-host 4
              tern-cli transfers run --bearer "$TOKEN"
              tern-cli transfers run --forever --quiet --netrc-file /etc/tern/netrc
              tern-cli transfers run --json | jq -r 'select(.event == "completed").file'
            """
    )

    @OptionGroup var place: TransferDirectoryOptions

    @Flag(help: "When all transfers have ended, wait for more, until Ctrl-C.")
    var forever = false

    @Option(help: ArgumentHelp("Run this many transfers at the same time. The default is 4.", valueName: "count"))
    var concurrent: Int?

    @Option(
        help: ArgumentHelp(
            "Run this many transfers of one host at the same time. The default is 2, or --concurrent if that is less.",
            valueName: "count"
        )
    )
    var concurrentPerHost: Int?

    @Option(
        help: ArgumentHelp(
            "Give up after this many retries without progress; each MiB that is transferred resets the count. The "
                + "default is 9.",
            valueName: "count"
        )
    )
    var retry: Int?

    @Option(
        help: ArgumentHelp(
            "Wait this time before trying again. By default the delay grows. The time of a Retry-After is added.",
            valueName: "seconds"
        )
    )
    var retryDelay: SecondsArgument?

    @OptionGroup var connection: ConnectionOptions

    @OptionGroup(title: "Reporting") var reporting: TransferReportOptions

    func validate() throws {
        for (name, count) in [("--concurrent", self.concurrent), ("--concurrent-per-host", self.concurrentPerHost)] {
            if let count, !(1...1000).contains(count) {
                throw ValidationError("\(name) must be a number from 1 to 1000.")
            }
        }
        if let retry, !(0...1000).contains(retry) { throw ValidationError("--retry must be a number from 0 to 1000.") }
    }

    var limits: TransferQueueConfiguration {
        var limits = TransferQueueConfiguration()
        if let concurrent { limits.maximumRunningCount = concurrent }
        if let concurrentPerHost { limits.maximumRunningCountPerHost = concurrentPerHost }
        if let retry { limits.maximumAttemptCount = retry + 1 }
        if let delay = self.retryDelay?.duration {
            limits.backoff = Backoff(initialDelay: delay, maximumDelay: delay, factor: 1, jitter: .none)
            limits.probeBackoff = limits.backoff
        }
        return limits
    }

    private var form: TransferRunDisplay.Form {
        if self.reporting.json { return .json }
        if self.reporting.quiet { return .none }
        // The trace of --verbose would be in the middle of the table.
        return System.isTerminal(System.standardError) && !self.connection.verbose ? .table : .lines
    }

    func perform() async throws {
        let delegate = CommandDelegate(
            self.connection,
            trace: self.connection.verbose ? ExchangeTrace(showingOn: System.standardError) : nil,
            isForMachines: self.reporting.json
        )
        if !self.reporting.json, !self.reporting.quiet { self.connection.tls.warn() }
        let secrets = try await self.connection.secrets(asking: delegate.questioner)
        let session = TransferRunSession(
            command: self,
            directory: self.place.prepare(),
            display: TransferRunDisplay(self.form),
            delegate: delegate,
            secrets: secrets,
            requests: try TransferRequests(self.connection, secrets)
        )
        let report = try await self.forever ? session.runForever() : session.run().report
        if Task.isCancelled {
            self.note("stopped; \(self.place.command("run")) continues")
            throw CancellationError()
        }
        try await self.tell(report)
        if report.outcome != .ok { throw ExitCode(report.outcome.exitCode) }
    }

    private func tell(_ report: TransferRunReport) async throws {
        if self.reporting.json {
            let output = OutputWriter()
            return try await output.whileRead { try await output.write(line: JSONLine.encode(report)) }
        }
        for note in report.notes(self.place) { self.note(note) }
        if let message = report.failureMessage(self.place) { System.tell(TerminalText.note(message)) }
    }
}

struct TransferRunSession: Sendable {
    let command: TransfersRunCommand
    let directory: URL
    let display: TransferRunDisplay
    let delegate: CommandDelegate
    let secrets: ConnectionOptions.Secrets
    let requests: TransferRequests

    private static let lookInterval = Duration.milliseconds(500)

    /// Also returns the time at which the directory changed last, while this process still had it.
    func run() async throws -> (report: TransferRunReport, change: System.ModificationTime?) {
        let stored = try await TransferQueue.stored(in: self.directory).transfers
        let address = stored.first { $0.state != .completed }?.description.url.absoluteString ?? "http://localhost/"
        let client = try await self.command.connection.client(for: address, self.secrets, self.delegate)
        let queue = try await TransferQueue(
            directory: self.directory,
            client: client,
            configuration: self.command.limits,
            delegate: self.requests
        )
        let runnable = queue.transfers.filter { transfer in
            switch transfer.state {
            case .waiting, .running, .delayed: true
            case .paused, .completed, .failed: false
            }
        }
        try self.requests.checkServers(of: runnable.map(\.description.url))
        self.warn(about: queue, runnable)
        let changes = queue.changes
        self.display.begin(queue.transfers.map { TransferRow($0) })
        do {
            try await withThrowingTaskGroup(of: Bool.self) { tasks in
                tasks.addTask {
                    for await change in changes { try await self.display.show(change) }
                    return false
                }
                tasks.addTask {
                    try await queue.runUntilIdle()
                    return true
                }
                while let isRun = try await tasks.next(), !isRun {}
                tasks.cancelAll()
            }
        } catch {
            try? await self.display.finish([])
            throw error
        }
        let rows = queue.transfers.map { TransferRow($0) }
        try await self.display.finish(rows)
        if let failure = await self.delegate.writeCookies() { throw failure }
        return withExtendedLifetime(queue) {
            let report = TransferRunReport(rows: rows, isPaused: queue.isPaused)
            return (report, System.modificationTime(ofFile: self.directory.path))
        }
    }

    /// Runs the queue each time when another process has changed it, until the task is cancelled.
    func runForever() async throws -> TransferRunReport {
        var (report, change) = try await self.run()
        if !Task.isCancelled {
            for note in report.notes(self.command.place) { self.command.note(note) }
            self.command.note("waiting for more transfers; Ctrl-C ends")
        }
        while (try? await Task.sleep(for: Self.lookInterval)) != nil {
            guard System.modificationTime(ofFile: self.directory.path) != change else { continue }
            do {
                (report, change) = try await self.run()
            } catch TransferQueueError.inUse {
                // The command that has changed the queue still has it, so look again.
            }
        }
        return report
    }

    private func warn(about queue: TransferQueue, _ runnable: [QueuedTransfer]) {
        let command = self.command
        for file in queue.damagedFiles { command.note(command.place.warning(about: file)) }
        let addresses = runnable.map(\.description.url.absoluteString)
        if let warning = addresses.lazy.compactMap({ command.connection.signIn.warning(for: $0) }).first {
            command.note(warning)
        }
    }
}
