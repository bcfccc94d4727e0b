// SPDX-License-Identifier: Apache-2.0
public import HTTPTypes
public import TernErrors

/// Observes the progress of a transfer; the methods must return soon, and any thread may call them.
@usableFromInline
package protocol TransferObserver: AnyObject, Sendable {
    /// The exchange has reached the next step.
    func didReach(_ milestone: ExchangeMilestone)
    /// The client has begun to send the first `byteCount` bytes of the request body; `total` is `nil` if it is unknown.
    func didSend(_ byteCount: Int64, of total: Int64?)
    /// The client has read `byteCount` bytes of the response body, before decompression; `total` is `nil` if it is unknown.
    func didReceive(_ byteCount: Int64, of total: Int64?)
    /// An interim response arrived (RFC 9110 §15.2), such as 103 Early Hints.
    func didReceiveInformational(_ response: HTTPResponse)
    /// The exchange failed: in the body of its response, and the milestone `finished` follows, or before, and `repeating` follows.
    func didFail(_ error: ClientError)
}

extension TransferObserver {
    package func didFail(_ error: ClientError) {}
}
