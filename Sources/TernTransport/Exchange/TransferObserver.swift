// SPDX-License-Identifier: Apache-2.0
public import HTTPTypes
public import TernErrors

/// Observes the progress of a transfer, with methods that must return soon, and that any thread may call.
public protocol TransferObserver: AnyObject, Sendable {
    /// The exchange has reached the next step.
    func didReach(_ milestone: ExchangeMilestone)
    /// The first `byteCount` bytes of the request body were handed to the network; `total` is `nil` if it is unknown.
    func didSend(_ byteCount: Int64, of total: Int64?)
    /// The first `byteCount` bytes of the response body were read; `total` is `nil` if it is unknown.
    func didReceive(_ byteCount: Int64, of total: Int64?)
    /// An interim response arrived (RFC 9110 §15.2), such as 103 Early Hints.
    func didReceiveInformational(_ response: HTTPResponse)
    /// The body of the response failed before its end; the milestone `finished` follows.
    func didFail(_ error: ClientError)
}

extension TransferObserver {
    public func didFail(_ error: ClientError) {}
}
