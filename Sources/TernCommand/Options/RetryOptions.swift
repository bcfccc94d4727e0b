// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Tern

/// Whether a call is tried again, as it is typed.
struct RetryOptions: ParsableArguments, Sendable {
    @Option(
        help: ArgumentHelp(
            "Try so many times again after a failure, or an answer of 408, 425, 429, 500, 502, 503 or 504, that another "
                + "try may mend; waits longer from try to try, or as long as the server says, up to a minute. A POST or PATCH "
                + "that may have arrived is not sent twice, unless it has an Idempotency-Key. 0 by default.",
            valueName: "count"
        )
    )
    var retry: Int?

    func validate() throws {
        if let retry, !(0...1000).contains(retry) { throw ValidationError("--retry takes a number from 0 to 1000.") }
    }

    /// The policy that was asked for; `nil` for none.
    var policy: RetryPolicy? {
        // A person who types a number means it: no budget ends the tries before.
        self.retry.flatMap { $0 > 0 ? RetryPolicy(maximumAttemptCount: $0 + 1, budget: nil) : nil }
    }
}
