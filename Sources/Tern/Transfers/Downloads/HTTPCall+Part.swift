// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernRequests
import TernRetry
import TernTransfers
import TernTransport

extension HTTPCall {
    /// Returns the call with the fields of a request of a durable download.
    ///
    /// The download itself repeats requests, so the stage `Retry` does not.
    func requesting(_ part: PartRequest) -> HTTPCall {
        var call = self
        for field in part.fields { call.request.fields[field.name] = field.value }
        call.request.options.decodesContent = false
        call.request.options.bypassesCache = true
        call.request.options.retry = RetryPolicy(maximumAttemptCount: 1)
        return call
    }
}
