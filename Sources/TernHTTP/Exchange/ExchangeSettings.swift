// SPDX-License-Identifier: Apache-2.0
import TernHTTP1

/// What of an ``HTTPTransportConfiguration`` each exchange needs: a few numbers, which cost nothing to copy.
struct ExchangeSettings: Sendable {
    let limits: ResponseDecoder.Limits
    let expectContinueThreshold: Int64?
    let expectContinueTimeout: Duration

    init(_ configuration: HTTPTransportConfiguration) {
        self.limits = configuration.limits
        self.expectContinueThreshold = configuration.expectContinueThreshold
        self.expectContinueTimeout = configuration.expectContinueTimeout
    }
}
