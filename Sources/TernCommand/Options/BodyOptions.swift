// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Tern

/// What every command that prints the body of a response understands.
struct BodyOptions: ParsableArguments, Sendable {
    @Flag(name: .shortAndLong, help: "Print the status and the fields before the body.")
    var include = false

    @Flag(help: "Exit with 22 if the status is 400 or more; the body is printed all the same.")
    var fail = false

    /// Prints a body while it arrives.
    ///
    /// - Parameters:
    ///   - bytes: the body.
    ///   - response: its head.
    /// - Returns: how it ended.
    /// - Throws: `ClientError` or `OutputFailure`.
    func print(_ bytes: ResponseBytes, _ response: Response) async throws -> CallReport {
        let output = OutputWriter()
        var byteCount: Int64 = 0
        try await output.whileRead {
            if self.include { try await output.write(response.head.utf8) }
            for try await chunk in bytes.chunks {
                byteCount += Int64(chunk.count)
                try await output.write(chunk)
            }
        }
        var report = CallReport(response, bytes: byteCount)
        if self.fail { report.fail(response, if: 400..., "its body was printed") }
        return report
    }
}
