// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Tern

/// The options that have a call tried again.
struct RetryOptions: ParsableArguments, Sendable {
    @Option(
        help: ArgumentHelp(
            "Try so many times again after a failure, or an answer of 408, 425, 429, 500, 502, 503 or 504, that another "
                + "try may mend. A POST or PATCH that may have arrived is not sent twice, unless it has an Idempotency-Key. "
                + "The body of a GET that is cut goes on where it ended, if the server has given it a strong ETag; "
                + "otherwise only 'download' begins again. 0 by default.",
            valueName: "count"
        )
    )
    var retry: Int?

    @Option(
        help: ArgumentHelp(
            "Wait so long before each try; by default longer from try to try, or as long as the server says, up to a minute.",
            valueName: "seconds"
        )
    )
    var retryDelay: SecondsArgument?

    func validate() throws {
        if let retry, !(0...1000).contains(retry) { throw ValidationError("--retry takes a number from 0 to 1000.") }
    }

    /// The policy that was asked for; `nil` for none.
    var policy: RetryPolicy? {
        guard let retry, retry > 0 else { return nil }
        let fixed = self.retryDelay.map { delay in
            Backoff(initialDelay: delay.duration, maximumDelay: delay.duration, factor: 1, jitter: .none)
        }
        // A person who types a number means it: no budget ends the tries before.
        return RetryPolicy(maximumAttemptCount: retry + 1, backoff: fixed ?? Backoff(), budget: nil)
    }
}
