// SPDX-License-Identifier: Apache-2.0
public import TernErrors

/// Reports the progress of one call's transfers to closures or as asynchronous sequences.
///
/// Use a closure to update something that any thread may change:
///
/// ```swift
/// let delegate = ProgressDelegate(onReceive: { print($0.fractionCompleted ?? 0) })
/// let (file, _) = try await client.download(from: url, delegate: delegate)
/// ```
///
/// Use a sequence to receive the progress on the actor of the loop, such as the main actor. It ends when the call does:
///
/// ```swift
/// let progress = ProgressDelegate()
/// async let download = client.download(from: url, delegate: progress)
/// for await update in progress.received { bar.fraction = update.fractionCompleted }
/// let (file, _) = try await download
/// ```
///
/// Use a delegate for one call only. A call with another delegate does not need this one: that delegate receives the
/// same progress. Progress that arrives while a closure or a loop is busy is merged, so the next update has the latest
/// count. A retry or a redirect starts at zero again.
public final class ProgressDelegate: TaskDelegate {
    /// The progress of sending the request body, in bytes handed to the network; ends with the call.
    ///
    /// One loop at a time may iterate over it. Only the latest count waits for the loop.
    public let sent: AsyncStream<TransferProgress>
    /// The progress of reading the response body; ends with the call.
    ///
    /// One loop at a time may iterate over it. Only the latest count waits for the loop.
    public let received: AsyncStream<TransferProgress>

    private let onReceive: (@Sendable (TransferProgress) -> Void)?
    private let onSend: (@Sendable (TransferProgress) -> Void)?
    private let sentContinuation: AsyncStream<TransferProgress>.Continuation
    private let receivedContinuation: AsyncStream<TransferProgress>.Continuation

    /// Creates a delegate for one call.
    ///
    /// The closures are called one at a time, never on the main thread or an event loop, and never after the call
    /// ended.
    ///
    /// - Parameters:
    ///   - onReceive: Called with the progress of reading the response body. Defaults to `nil`.
    ///   - onSend: Called with the progress of sending the request body. Defaults to `nil`.
    public init(
        onReceive: (@Sendable (TransferProgress) -> Void)? = nil,
        onSend: (@Sendable (TransferProgress) -> Void)? = nil
    ) {
        self.onReceive = onReceive
        self.onSend = onSend
        (self.sent, self.sentContinuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        (self.received, self.receivedContinuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    // Ends a loop over the progress of a call that was never made.
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
