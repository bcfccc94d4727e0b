// SPDX-License-Identifier: Apache-2.0
public import TernErrors

/// Reports how far the transfers of one call have come: to closures, or as asynchronous sequences.
///
/// A closure is enough where the progress goes to something that any thread may update:
///
/// ```swift
/// let delegate = ProgressDelegate(onReceive: { print($0.fractionCompleted ?? 0) })
/// let (file, _) = try await client.download(from: url, delegate: delegate)
/// ```
///
/// A sequence brings it to the actor of its loop, such as the main actor, and ends when the call does:
///
/// ```swift
/// let progress = ProgressDelegate()
/// async let download = client.download(from: url, delegate: progress)
/// for await update in progress.received { bar.fraction = update.fractionCompleted }
/// let (file, _) = try await download
/// ```
///
/// Give it to one call. A call with a delegate of its own needs none: the delegate is told the same. Progress that comes
/// while a closure or a loop is busy is merged, so that the latest count is next. A retry or a redirect begins at zero again.
public final class ProgressDelegate: TaskDelegate {
    /// How much of the request body was handed to the network; ends with the call.
    ///
    /// One loop at a time may iterate over it. Only the latest count waits for the loop.
    public let sent: AsyncStream<TransferProgress>
    /// How much of the response body was read; ends with the call.
    ///
    /// One loop at a time may iterate over it. Only the latest count waits for the loop.
    public let received: AsyncStream<TransferProgress>

    private let onReceive: (@Sendable (TransferProgress) -> Void)?
    private let onSend: (@Sendable (TransferProgress) -> Void)?
    private let sentContinuation: AsyncStream<TransferProgress>.Continuation
    private let receivedContinuation: AsyncStream<TransferProgress>.Continuation

    /// Creates a delegate for one call.
    ///
    /// The closures are called one at a time, never on the main thread or an event loop, and never after the call ended.
    ///
    /// - Parameters:
    ///   - onReceive: Is told how much of the response body was read. Defaults to `nil`.
    ///   - onSend: Is told how much of the request body was handed to the network. Defaults to `nil`.
    public init(
        onReceive: (@Sendable (TransferProgress) -> Void)? = nil,
        onSend: (@Sendable (TransferProgress) -> Void)? = nil
    ) {
        self.onReceive = onReceive
        self.onSend = onSend
        (self.sent, self.sentContinuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        (self.received, self.receivedContinuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    // A loop over the progress of a call that was never made ends, too.
    deinit { self.finish() }

    public func task(_ task: TaskInfo, didSendBodyData progress: TransferProgress) {
        self.onSend?(progress)
        self.sentContinuation.yield(progress)
    }

    public func task(_ task: TaskInfo, didReceiveBodyData progress: TransferProgress) {
        self.onReceive?(progress)
        self.receivedContinuation.yield(progress)
    }

    public func task(_ task: TaskInfo, didCompleteWith error: ClientError?) { self.finish() }

    private func finish() {
        self.sentContinuation.finish()
        self.receivedContinuation.finish()
    }
}
