// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import HTTPTypes
import Tern
import TernFoundation

/// The options that turn a status into a failure.
struct FailOptions: ParsableArguments, Sendable {
    @Flag(name: .shortAndLong, help: "If the status is 400 or more, exit with 22 and do not print the body.")
    var fail = false

    @Flag(help: "If the status is 400 or more, exit with 22 after printing the body.")
    var failWithBody = false

    func validate() throws {
        if self.fail, self.failWithBody { throw ValidationError("--fail and --fail-with-body cannot be combined.") }
    }

    /// Returns whether to hide the body of a response.
    func hidesBody(of response: Response) -> Bool { self.fail && response.statusCode >= 400 }

    /// Turns a report into a failure if the status is 400 or more and the user typed one of these options.
    ///
    /// - Parameters:
    ///   - report: The report.
    ///   - response: The response.
    ///   - message: The message of the report if the body was printed. If it was not, the report says so instead.
    func judge(_ report: inout CallReport, _ response: Response, _ message: String) {
        guard self.fail || self.failWithBody else { return }
        report.fail(response, if: 400..., self.fail ? "the body was not printed" : message)
    }
}

/// The options of every command that prints the body of a response.
struct BodyOptions: ParsableArguments, Sendable {
    @Flag(name: .shortAndLong, help: "Print the status and the fields before the body, including those of redirects.")
    var include = false

    @OptionGroup var failing: FailOptions

    /// Prints a body while it arrives.
    ///
    /// With `--fail`, prints no body if the status is 400 or more.
    ///
    /// - Parameters:
    ///   - bytes: The body, which is printed unchanged, even on a terminal.
    ///   - response: The head of the response.
    ///   - heads: The heads to print before the body. Defaults to `nil`, which prints the head of the response if
    ///     `--include` was typed.
    ///   - dropsBody: Whether to print the heads only. Defaults to `false`.
    ///   - descriptor: The descriptor to write to. Defaults to standard output.
    ///   - onChunk: Receives each piece of the body before it is printed. Defaults to `nil`.
    ///   - check: Checks the announced length of the body, and then the number of bytes that have arrived. If `check`
    ///     throws an error, the call ends. Defaults to accepting any length.
    /// - Returns: The report.
    /// - Throws: `ClientError`, `OutputFailure`, or the error that `check` throws.
    func print(
        _ bytes: ResponseBytes,
        _ response: Response,
        heads: String? = nil,
        dropsBody: Bool = false,
        on descriptor: CInt = System.standardOutput,
        onChunk: ((Data) -> Void)? = nil,
        check: (Int64?) throws(CommandFailure) -> Void = { _ throws(CommandFailure) in }
    ) async throws -> CallReport {
        let output = OutputWriter(descriptor: descriptor)
        var byteCount: Int64 = 0
        let isHidden = dropsBody || self.failing.hidesBody(of: response)
        try await output.whileRead {
            if let text = heads ?? (self.include ? response.head : nil) {
                try await output.write(TerminalText.shown(text, on: descriptor).utf8)
            }
            guard !isHidden else { return }
            try check(response.contentLength)
            for try await chunk in bytes.chunks {
                byteCount += Int64(chunk.count)
                onChunk?(chunk)
                try check(byteCount)
                try await output.write(chunk)
            }
        }
        var report = CallReport(response, bytes: byteCount)
        self.failing.judge(&report, response, "the body was printed")
        return report
    }
}

extension Response {
    /// The status and the fields, as `--include` prints them.
    var head: String {
        let fields = self.fields.map { "\($0.name.rawName): \($0.value)\n" }.joined()
        return "\(self.httpVersion ?? .http11) \(self.status)\n\(fields)\n"
    }
}
