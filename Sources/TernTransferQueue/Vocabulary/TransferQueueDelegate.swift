// SPDX-License-Identifier: Apache-2.0
public import Tern

/// Provides what a queue must not store: the credentials and the signed URL of a request.
///
/// Every method has a default that changes nothing. The queue retains the delegate, and may call its methods for several transfers
/// at the same time.
public protocol TransferQueueDelegate: Sendable {
    /// A transfer is about to start, and may need a fresh token or a URL with a new signature.
    ///
    /// The queue calls this method before each attempt that may send a request, also in a later process. When an upload that has
    /// begun is removed, the queue calls it once more, for the request that asks the server to delete its part; see
    /// ``TransferQueue/remove(_:)``.
    ///
    /// - Parameters:
    ///   - transfer: The transfer.
    ///   - request: The request of the description.
    /// - Returns: The request to send. It must have no body.
    /// - Throws: An error that ends the attempt. The queue tries again later, except after a `ClientError` that cannot go away by
    ///   itself, such as `.validationFailed` with the status 403.
    func transfer(_ transfer: QueuedTransfer, willStartWith request: Request) async throws -> Request

    /// Returns the delegate of one attempt's call; `nil`, the default, leaves challenges to the client's delegate.
    func taskDelegate(for transfer: QueuedTransfer) async -> (any TaskDelegate)?

    /// The server has received an upload, which is on the disk as completed.
    ///
    /// The queue calls this method at most once for an upload. It does not call it if the answer could not be read or stored, or if
    /// the process ends first.
    ///
    /// - Parameters:
    ///   - transfer: The transfer.
    ///   - answer: The answer; its response is `nil` if the answer was lost.
    func transfer(_ transfer: QueuedTransfer, didUpload answer: ResumedUpload) async
}

extension TransferQueueDelegate {
    /// Returns the request of the description.
    public func transfer(_ transfer: QueuedTransfer, willStartWith request: Request) async throws -> Request { request }

    /// Returns `nil`.
    public func taskDelegate(for transfer: QueuedTransfer) async -> (any TaskDelegate)? { nil }

    /// Does nothing.
    public func transfer(_ transfer: QueuedTransfer, didUpload answer: ResumedUpload) async {}
}
