// SPDX-License-Identifier: Apache-2.0
public import HTTPTypes
public import TernErrors

/// Observes the progress of a transfer.
///
/// The methods must return soon, and any thread may call them.
public protocol TransferObserver: AnyObject, Sendable {
    /// The exchange has reached the next step.
    func didReach(_ milestone: ExchangeMilestone)
    /// Bytes of the request body were handed to the network: `byteCount` bytes so far. `total` is `nil` if it is
    /// unknown.
    func didSend(_ byteCount: Int64, of total: Int64?)
    /// Bytes of the response body were read: `byteCount` bytes so far. `total` is `nil` if it is unknown.
    func didReceive(_ byteCount: Int64, of total: Int64?)
    /// An interim response arrived (RFC 9110 §15.2), such as 103 Early Hints.
    func didReceiveInformational(_ response: HTTPResponse)
    /// The body of the response failed before its end. The milestone `finished` follows.
    ///
    /// The default implementation does nothing.
    func didFail(_ error: ClientError)
}

extension TransferObserver {
    /// Does nothing.
    public func didFail(_ error: ClientError) {}
}
