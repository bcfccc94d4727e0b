// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Tern

struct RetryOptions: ParsableArguments, Sendable {
    @Option(
        help: ArgumentHelp(
            "Retry this many times after a failure that another attempt may fix, or a status of 408, 425, 429, 500, "
                + "502, 503 or 504. A POST or PATCH that may have arrived is not repeated without an Idempotency-Key. "
                + "An interrupted GET continues where it stopped if the server has sent a strong ETag; without one, "
                + "only 'download' tries again, from the beginning. 'run' never continues a GET. The default is 0. "
                + "With 'download --continue' and 'upload --resumable', it is 4, and each MiB that is transferred "
                + "resets the count.",
            valueName: "count"
        )
    )
    var retry: Int?

    @Option(
        help: ArgumentHelp(
            "With --retry: wait this time before each retry. By default the delay is random and grows, up to "
                + "20 seconds. The time of a Retry-After is added; if it is more than a minute, there is no retry.",
            valueName: "seconds"
        )
    )
    var retryDelay: SecondsArgument?

    func validate() throws {
        if let retry, !(0...1000).contains(retry) { throw ValidationError("--retry must be a number from 0 to 1000.") }
    }

    var policy: RetryPolicy? {
        guard let retry, retry > 0 else { return nil }
        let fixed = self.retryDelay.map { delay in
            Backoff(initialDelay: delay.duration, maximumDelay: delay.duration, factor: 1, jitter: .none)
        }
        // The user asked for exactly this number of retries, so no budget limits it.
        return RetryPolicy(maximumAttemptCount: retry + 1, backoff: fixed ?? Backoff(), budget: nil)
    }
}
