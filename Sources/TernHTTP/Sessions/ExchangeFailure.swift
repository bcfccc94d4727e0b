// SPDX-License-Identifier: Apache-2.0
import TernErrors

/// A failure of an exchange before the head of its response.
struct ExchangeFailure: Error {
    /// The error for the caller.
    ///
    /// Its context says whether the server may have received the request.
    let error: ClientError
    /// Whether the connection had been idle, and was lost before any byte of the response arrived.
    ///
    /// Most likely the server had already closed it.
    let isStale: Bool
    /// Whether the session accepted no more streams when the exchange began, so that the client sent nothing.
    let isLate: Bool
    /// Whether the server accepts the request only over HTTP/1.1 (RFC 9113 §7).
    let requiresHTTP1: Bool

    /// Whether the server says that it has not processed the request, so that any request may be sent again.
    var isRefused: Bool { self.error.context.delivery == .refused }

    init(
        _ error: ClientError,
        delivered delivery: ClientError.Delivery,
        isStale: Bool = false,
        isLate: Bool = false,
        requiresHTTP1: Bool = false
    ) {
        var error = error
        error.context.delivery = delivery
        self.error = error
        self.isStale = isStale
        self.isLate = isLate
        self.requiresHTTP1 = requiresHTTP1
    }
}
