// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Tern

struct ReportOptions: ParsableArguments, Sendable {
    @Option(
        help: ArgumentHelp("Report the result as text or as one line of JSON: text or json.", valueName: "form")
    )
    var report = ReportForm.text

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "Write this at the end, with curl's variables, like '%{http_code} %{time_total}\\n'; @file reads a file.",
            valueName: "format"
        )
    )
    var writeOut: String?

    @Flag(help: "Show where the time went, on standard error at the end.")
    var timing = false

    @Flag(name: .shortAndLong, help: "Hide progress, but show errors.")
    var quiet = false

    @Flag(name: .shortAndLong, help: "Hide progress and errors.")
    var silent = false

    @Flag(name: [.customShort("S"), .long], help: "With --silent: show errors anyway.")
    var showError = false

    var isQuiet: Bool { self.quiet || self.silent }
    var hidesErrors: Bool { self.silent && !self.showError }
    var json: Bool { self.report == .json }

    func format() async throws(CommandFailure) -> WriteOut? {
        guard let writeOut else { return nil }
        guard case .file(let path) = ContentSource(writeOut) else { return WriteOut(writeOut) }
        do throws(CommandFailure) {
            return WriteOut(String(decoding: try await SystemInput().read(path), as: UTF8.self))
        } catch {
            throw CommandFailure(outcome: .usage, message: error.message)
        }
    }
}

enum ReportForm: String, CaseIterable, ExpressibleByArgument, Sendable {
    /// Text for people.
    case text
    case json
}
