// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Tern

protocol ReportingCommand: AsyncParsableCommand, Sendable {
    var connection: ConnectionOptions { get }
    var json: Bool { get }
    var timing: Bool { get }
    var hidesErrors: Bool { get }
    var hidesWarnings: Bool { get }
    /// Whether the command keeps the heads of all responses, for example to print them.
    var keepsHeads: Bool { get }
    func format() async throws(CommandFailure) -> WriteOut?
    /// Whether the command writes a body to standard output; a JSON report then goes to standard error.
    static var writesBody: Bool { get }
}

/// A command that makes one call, which Ctrl-C cancels.
protocol CallCommand: ReportingCommand {
    var url: String { get }
    func perform(_ delegate: CommandDelegate) async throws -> CallReport
}

extension CallCommand {
    func run() async throws { try await self.runCall() }

    /// Makes the call, and ends the process with the exit code of its outcome unless it succeeded.
    func runCall() async throws {
        let outcome = try await self.conduct(self.url) { try await self.perform($0) }
        if outcome != .ok { throw ExitCode(outcome.exitCode) }
    }
}

extension ReportingCommand {
    static var writesBody: Bool { true }
    var timing: Bool { false }
    var hidesErrors: Bool { false }
    var hidesWarnings: Bool { false }
    var keepsHeads: Bool { false }

    func format() async throws(CommandFailure) -> WriteOut? { nil }

    /// Makes a call, cancels it on Ctrl-C, and reports how it ended; throws only if the text of `--write-out` or the report cannot
    /// be written.
    func conduct(
        _ url: String,
        at place: CallPlace = CallPlace(),
        to output: CInt = System.standardOutput,
        _ errors: CInt = System.standardError,
        _ perform: @escaping @Sendable (CommandDelegate) async throws -> CallReport
    ) async throws -> Outcome {
        let start = ContinuousClock.now
        let format: WriteOut?
        do throws(CommandFailure) {
            format = try await self.format()
        } catch {
            if !self.hidesErrors { System.show(TerminalText.note(error.message), on: errors) }
            return error.outcome
        }
        if !self.json, !self.hidesWarnings { self.warn(about: url, format) }  // a JSON report may go to standard error
        let collector = self.json || self.timing || format != nil ? MetricsCollector() : nil
        let isVerbose = self.connection.verbose
        let delegate = CommandDelegate(
            self.connection,
            collector: collector,
            trace: isVerbose || self.keepsHeads ? ExchangeTrace(showingOn: isVerbose ? errors : nil) : nil,
            isForMachines: self.json,
            place: place
        )
        let (result, signal) = await Self.result(at: place) { try await perform(delegate) }
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
        report.url = RedactedURL.text(url)
        report.seconds = ((ContinuousClock.now - start) / .milliseconds(1)).rounded() / 1000
        // If the call failed without a response, the collector has the metrics of the call.
        let metrics = report.response?.metrics ?? collector?.calls.last
        if self.json { report.metrics = metrics.map { MetricsFacts($0) } }
        if self.timing, !self.json, let metrics { Self.show(metrics, on: errors) }
        if let format {
            try await Self.write(
                format,
                WriteOutFacts(
                    exitCode: report.outcome.exitCode,
                    message: report.message,
                    url: url,
                    file: report.location,
                    response: report.response,
                    metrics: metrics,
                    urlNumber: place.urlNumber
                ),
                on: output,
                errors
            )
        }
        if !self.json, place.isOneOfSeveral, let message = report.message {
            report.message = "\(RedactedURL.text(url)): \(message)"
        }
        try await self.tell(report, on: output, errors)
        return report.outcome
    }

    /// Cancels the call on Ctrl-C, unless the code that makes several calls at the same time cancels them all.
    private static func result(
        at place: CallPlace,
        _ perform: @escaping @Sendable () async throws -> CallReport
    ) async -> (result: Result<CallReport, any Error>, signal: CInt?) {
        guard place.isParallel else { return await Interruption.run(perform) }
        do {
            return (.success(try await perform()), nil)
        } catch {
            return (.failure(error), nil)
        }
    }

    private func warn(about url: String, _ format: WriteOut?) {
        self.connection.tls.warn()
        if let warning = self.connection.signIn.warning(for: url) { System.tell(TerminalText.note(warning)) }
        for name in format?.unknownNames ?? [] {
            System.tell(TerminalText.note("--write-out has no variable \(name), and writes an empty text instead"))
        }
    }

    private static func write(
        _ format: WriteOut,
        _ facts: WriteOutFacts,
        on output: CInt,
        _ errors: CInt
    ) async throws {
        let texts = format.texts(facts) { System.isTerminal($0 == .output ? output : errors) }
        for (stream, text) in texts {
            switch stream {
            case .errors: System.show(text, on: errors, continuesLine: true)  // as in curl
            case .output:
                let writer = OutputWriter(descriptor: output)
                try await writer.whileRead { try await writer.write(text.utf8) }
            }
        }
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
        } else if let message = report.message, !report.outcome.isUserRequested, !self.hidesErrors {
            System.show(TerminalText.note(message), on: errors)
            guard let body = report.body, !body.isEmpty else { return }
            let text = TerminalText.sanitized(body)
            System.show(text.last?.isNewline == true ? text : "\(text)\n", on: errors)
        }
    }
}
