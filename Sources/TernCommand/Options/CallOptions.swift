// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import HTTPTypes
import Tern
import TernFoundation

struct CallOptions: ParsableArguments, Sendable {
    @Argument(help: "An http or https URL. Without a scheme: https, or http on loopback.")
    var url: String

    @Flag(name: .shortAndLong, help: "Take brackets and braces in the URL literally, and not as patterns.")
    var globoff = false

    @Option(name: [.customShort("X"), .customLong("request"), .long], help: "Use this method.")
    var method: MethodArgument?

    @Option(
        name: [.customShort("m"), .customLong("max-time"), .long],
        help: ArgumentHelp("Limit the time of the whole call. No limit by default.", valueName: "seconds")
    )
    var timeout: SecondsArgument?

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("Request only these bytes, such as 0-99, 100- or -50.", valueName: "range")
    )
    var range: String?

    @Option(
        name: [.customShort("z"), .customLong("time-cond")],
        help: ArgumentHelp(
            "Request the resource only if it is newer than this date, or than this file. With a minus sign before it: "
                + "only if it is not newer.",
            valueName: "date|file"
        )
    )
    var typedTimeCondition: String?

    @Flag(
        help: ArgumentHelp(
            "Request compressed content and decompress it. This is the default, but 'get' does so for a file only "
                + "with this option, and 'download --continue' never does."
        )
    )
    var compressed = false

    @Option(help: ArgumentHelp("Accept bodies up to this length, such as 64M.", valueName: "bytes"))
    var maxFilesize: ByteCountArgument?

    @Option(
        help: ArgumentHelp(
            "Receive and send bodies at this mean rate at most, in bytes per second, such as 100K; 0 sets no limit.",
            valueName: "bytes"
        )
    )
    var limitRate: RateArgument?

    @OptionGroup(title: "Retries") var retry: RetryOptions

    @OptionGroup(title: "Reporting") var reporting: ReportOptions

    var isQuiet: Bool { self.reporting.isQuiet }
    var json: Bool { self.reporting.json }

    func validate() throws {
        let allowed = "0123456789-, "
        if let range, range.isEmpty || !range.allSatisfy({ allowed.contains($0) }) {
            throw ValidationError("--range must be byte positions, such as 0-99, 100- or -50.")
        }
    }

    func method(or method: HTTPRequest.Method) -> HTTPRequest.Method { self.method?.method ?? method }

    /// The condition of `--time-cond`; `nil` if the text is neither a date nor a file.
    var timeCondition: TimeCondition? {
        guard let typedTimeCondition, !typedTimeCondition.isEmpty else { return nil }
        return TimeCondition(typedTimeCondition, now: Self.now) { path in
            System.modificationTime(ofFile: path).map { Int64($0.seconds) }
        }
    }

    private static var now: HTTPDate { HTTPDate(secondsSince1970: Int64(Date().timeIntervalSince1970)) }

    func meetsTimeCondition(_ response: Response) -> Bool {
        guard self.typedTimeCondition != nil else { return true }
        let lastModified = response[.lastModified]
        let isMet = self.timeCondition?.isMet(by: response.statusCode, lastModified: lastModified, now: Self.now)
        return isMet ?? (response.statusCode != 304)
    }

    /// Checks `--max-filesize` with the announced length, or with the bytes that have arrived.
    func checkLength(_ byteCount: Int64?) throws(CommandFailure) {
        guard let maxFilesize, let byteCount, byteCount > maxFilesize.byteCount else { return }
        throw CommandFailure(outcome: .tooLong, message: "the body is longer than --max-filesize allows")
    }
}
