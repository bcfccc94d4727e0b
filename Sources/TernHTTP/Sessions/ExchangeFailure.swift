// SPDX-License-Identifier: Apache-2.0
import TernErrors

struct ExchangeFailure: Error {
    let error: ClientError
    /// Whether the connection had been idle, and was lost before any byte of the response, as if the server had already closed it.
    let isStale: Bool
    /// Whether the session accepted no more streams when the exchange began, so that the client sent nothing.
    let isLate: Bool
    /// Whether the server accepts the request only over HTTP/1.1 (RFC 9113 §7).
    let requiresHTTP1: Bool
    /// Whether the client has begun to read the body of the request, so that a stream may lack its beginning.
    let hasReadBody: Bool

    var isRefused: Bool { self.error.context.delivery == .refused }

    init(
        _ error: ClientError,
        delivered delivery: ClientError.Delivery,
        isStale: Bool = false,
        isLate: Bool = false,
        requiresHTTP1: Bool = false,
        hasReadBody: Bool
    ) {
        var error = error
        error.context.delivery = delivery
        self.error = error
        self.isStale = isStale
        self.isLate = isLate
        self.requiresHTTP1 = requiresHTTP1
        self.hasReadBody = hasReadBody
    }
}
