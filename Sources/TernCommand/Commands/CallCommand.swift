// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Tern

/// A command that makes calls, and reports how each ended.
protocol ReportingCommand: AsyncParsableCommand, Sendable {
    /// How the server is reached.
    var connection: ConnectionOptions { get }
    /// Whether the report is for machines.
    var json: Bool { get }
    /// Whether to show where the time went.
    var timing: Bool { get }
    /// Whether standard output holds a body; then the report goes to standard error.
    static var writesBody: Bool { get }
}

/// A command that makes one call; it runs until Ctrl-C cancels it, and reports how it ended.
protocol CallCommand: ReportingCommand {
    /// What is called.
    var url: String { get }
    /// Makes the call.
    ///
    /// - Parameter delegate: accompanies it.
    /// - Returns: how it ended.
    /// - Throws: `ClientError`, or `CommandFailure`.
    func perform(_ delegate: CommandDelegate) async throws -> CallReport
}

/// A command that makes an HTTP call.
protocol HTTPCommand: CallCommand {
    /// What was asked for.
    var call: CallOptions { get }
}

extension HTTPCommand {
    var url: String { self.call.url }
    var connection: ConnectionOptions { self.call.connection }
    var json: Bool { self.call.json }
    var timing: Bool { self.call.timing }
}

extension CallCommand {
    func run() async throws {
        let outcome = try await self.conduct(self.url) { try await self.perform($0) }
        if outcome != .ok { throw ExitCode(outcome.exitCode) }
    }
}

extension ReportingCommand {
    static var writesBody: Bool { true }
    var timing: Bool { false }

    /// Makes a call until Ctrl-C cancels it, and reports how it ended.
    ///
    /// - Parameters:
    ///   - url: what is called.
    ///   - output: where the report goes that is all of the output; standard output by default.
    ///   - errors: where other reports go; standard error by default.
    ///   - perform: makes the call.
    /// - Returns: how it ended.
    /// - Throws: `OutputFailure` if the report cannot be written.
    func conduct(
        _ url: String,
        to output: CInt = System.standardOutput,
        _ errors: CInt = System.standardError,
        _ perform: @escaping @Sendable (CommandDelegate) async throws -> CallReport
    ) async throws -> Outcome {
        let start = ContinuousClock.now
        if !self.json { self.connection.tls.warn() }  // with --json, standard error may be for machines
        let collector = self.json || self.timing ? MetricsCollector() : nil
        let delegate = CommandDelegate(self.connection, collector: collector, isForMachines: self.json)
        let (result, signal) = await Interruption.run { try await perform(delegate) }
        var report: CallReport
        switch result {
        case .success(let value): report = value
        case .failure(let error): report = CallReport(error)
        }
        if let failure = await delegate.writeCookies(), report.outcome == .ok {
            (report.outcome, report.message) = (failure.outcome, failure.message)
        }
        if report.outcome == .interrupted, let outcome = Outcome(signal: signal) { report.outcome = outcome }
        report.advise(on: delegate.trust)
        report.url = ShownURL.text(url)
        report.seconds = ((ContinuousClock.now - start) / .milliseconds(1)).rounded() / 1000
        // The call is over, or it has failed and left no response.
        let metrics = report.response?.metrics ?? collector?.calls.last
        if self.json { report.metrics = metrics.map { MetricsFacts($0) } }
        if self.timing, !self.json, let metrics { Self.show(metrics, on: errors) }
        try await self.tell(report, on: output, errors)
        return report.outcome
    }

    private static func show(_ metrics: TaskMetrics, on descriptor: CInt) {
        let isPlain = !System.isTerminal(descriptor)
        let width = isPlain ? 80 : System.columns(of: descriptor)
        System.show(Waterfall(metrics, width: width, isPlain: isPlain).text, on: descriptor)
    }

    private func tell(_ report: CallReport, on output: CInt, _ errors: CInt) async throws {
        if self.json, Self.writesBody {
            System.show("\(report.json)\n", on: errors)
        } else if self.json {
            let output = OutputWriter(descriptor: output)
            try await output.whileRead { try await output.write(line: report.json) }
        } else if let message = report.message, !report.outcome.isWish {
            System.show(TerminalText.note(message), on: errors)
        }
    }
}
