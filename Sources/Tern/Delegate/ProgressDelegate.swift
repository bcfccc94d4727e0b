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
/// Use a sequence to receive the progress on the actor of the loop, such as the main actor. The sequence ends when the
/// call ends:
///
/// ```swift
/// let progress = ProgressDelegate()
/// async let download = client.download(from: url, delegate: progress)
/// for await update in progress.received { bar.fraction = update.fractionCompleted }
/// let (file, _) = try await download
/// ```
///
/// Use a `ProgressDelegate` for one call only. A call that has another delegate does not need this one, because its own
/// delegate receives the same progress. While a closure or a loop is busy, a newer update replaces the one that waits,
/// so the next update has the latest count. After a retry or a redirect, progress starts at zero again, except in a
/// download that continues.
public final class ProgressDelegate: TaskDelegate {
    /// The progress of sending the request body, in bytes handed to the network; ends with the call.
    ///
    /// Only one loop at a time may iterate over this sequence. If the loop is slow, it receives only the latest count.
    public let sent: AsyncStream<TransferProgress>
    /// The progress of reading the response body; ends with the call.
    ///
    /// Only one loop at a time may iterate over this sequence. If the loop is slow, it receives only the latest count.
    public let received: AsyncStream<TransferProgress>

    private let onReceive: (@Sendable (TransferProgress) -> Void)?
    private let onSend: (@Sendable (TransferProgress) -> Void)?
    private let sentContinuation: AsyncStream<TransferProgress>.Continuation
    private let receivedContinuation: AsyncStream<TransferProgress>.Continuation

    /// Creates a delegate for one call.
    ///
    /// The client calls the closures one at a time, off the main thread and off the event loops, and not after the call
    /// has ended.
    ///
    /// - Parameters:
    ///   - onReceive: A closure that the client calls with the progress of reading the response body. Defaults to
    ///     `nil`.
    ///   - onSend: A closure that the client calls with the progress of sending the request body. Defaults to `nil`.
    public init(
        onReceive: (@Sendable (TransferProgress) -> Void)? = nil,
        onSend: (@Sendable (TransferProgress) -> Void)? = nil
    ) {
        self.onReceive = onReceive
        self.onSend = onSend
        (self.sent, self.sentContinuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        (self.received, self.receivedContinuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    // If no call used this delegate, end the loops that wait for progress.
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
