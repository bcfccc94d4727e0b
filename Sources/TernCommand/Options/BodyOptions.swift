// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import HTTPTypes
import Tern
import TernFoundation

struct FailOptions: ParsableArguments, Sendable {
    @Flag(name: .shortAndLong, help: "If the status is 400 or more, exit with 22 and do not print the body.")
    var fail = false

    @Flag(help: "If the status is 400 or more, exit with 22 after printing the body.")
    var failWithBody = false

    func validate() throws {
        if self.fail, self.failWithBody { throw ValidationError("--fail and --fail-with-body cannot be combined.") }
    }

    func hidesBody(of response: Response) -> Bool { self.fail && response.statusCode >= 400 }

    /// Fails for a status of 400 or more; `message` is only for a body that was printed.
    func judge(_ report: inout CallReport, _ response: Response, _ message: String) {
        guard self.fail || self.failWithBody else { return }
        report.fail(response, if: 400..., self.fail ? "the body was not printed" : message)
    }
}

struct BodyOptions: ParsableArguments, Sendable {
    @Flag(name: .shortAndLong, help: "Print the status and the fields before the body, including those of redirects.")
    var include = false

    @OptionGroup var failing: FailOptions

    /// Prints a body unchanged while it arrives; `check` gets its announced length and then what has arrived, and may end the
    /// call.
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
    var head: String {
        let fields = self.fields.map { "\($0.name.rawName): \($0.value)\n" }.joined()
        return "\(self.httpVersion ?? .http11) \(self.status)\n\(fields)\n"
    }
}
