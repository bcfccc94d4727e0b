// SPDX-License-Identifier: Apache-2.0
import ArgumentParser

struct TransferOptions: ParsableArguments, Sendable {
    /// As in curl.
    static let defaultParallelCount = 50

    @Flag(name: [.customShort("Z"), .long], help: "Make several transfers at the same time.")
    var parallel = false

    @Option(
        help: ArgumentHelp(
            "With --parallel: make up to this many transfers at the same time, from 1 to 300. The default is 50.",
            valueName: "count"
        )
    )
    var parallelMax: Int?

    @Flag(help: "With several URLs: stop after the first transfer that fails.")
    var failEarly = false

    // The following options are in the help only: `CommandArguments` does what they say.

    @Flag(help: "Write the response to each URL that follows to a file named after it, like -O for each of them.")
    var remoteNameAll = false

    @Flag(
        name: [.customShort(":"), .long],
        help: "Begin another operation: the options before it are not for the URLs behind it, and the other way round."
    )
    var next = false

    @Option(
        name: [.customShort("K"), .long],
        help: ArgumentHelp(
            "Read options and URLs from this file, one per line, such as 'url = \"https://example.com\"'; - is standard "
                + "input.",
            valueName: "file"
        )
    )
    var config: String?

    func validate() throws {
        guard (1...300).contains(self.parallelMax ?? 1) else {
            throw ValidationError("--parallel-max takes a number from 1 to 300.")
        }
    }

    var concurrentCount: Int { self.parallel ? self.parallelMax ?? Self.defaultParallelCount : 1 }
}
