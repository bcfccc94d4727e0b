// SPDX-License-Identifier: Apache-2.0
public import Tern

/// Provides what a queue must not store: the credentials and the signed URL of a request.
///
/// Every method has a default that changes nothing. A delegate can be an actor, a structure, or a class that is isolated
/// to the main actor. The queue retains it, and calls its methods for several transfers at the same time.
public protocol TransferQueueDelegate: Sendable {
    /// A transfer is about to start.
    ///
    /// The queue calls this method before each attempt, also in a later process. So this is the place for a fresh token
    /// and for a URL with a new signature. When an upload that has begun is removed, the queue calls it once more, for
    /// the request by which the server deletes its part; see ``TransferQueue/remove(_:)``.
    ///
    /// - Parameters:
    ///   - transfer: The transfer.
    ///   - request: The request of the description.
    /// - Returns: The request to send. It must have no body.
    /// - Throws: An error that ends the attempt. The queue tries again later, except after a `ClientError` that cannot
    ///   go away by itself, such as `.validationFailed` with the status 403.
    func transfer(_ transfer: QueuedTransfer, willStartWith request: Request) async throws -> Request

    /// Returns the delegate for the challenges and events of one attempt of a transfer.
    ///
    /// - Parameter transfer: The transfer.
    /// - Returns: The delegate of the call; `nil`, the default, leaves challenges to the client's delegate.
    func taskDelegate(for transfer: QueuedTransfer) async -> (any TaskDelegate)?

    /// The server has accepted an upload.
    ///
    /// The queue calls this method at most once, after ``QueuedTransfer/State/completed`` is on the disk. It does not
    /// call the method if the answer could not be read or stored, or if the process ends before the call.
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
