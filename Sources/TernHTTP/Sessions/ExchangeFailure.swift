// SPDX-License-Identifier: Apache-2.0
import TernErrors

/// A failure of an exchange before the head of its response.
struct ExchangeFailure: Error {
    /// The error for the caller; its context tells how much of the request was delivered.
    let error: ClientError
    /// Whether nothing was received on a connection that had been idle: the server had most likely closed it before.
    let isStale: Bool

    init(_ error: ClientError, delivered delivery: ClientError.Delivery, isStale: Bool = false) {
        var error = error
        error.context.delivery = delivery
        self.error = error
        self.isStale = isStale
    }
}
