// SPDX-License-Identifier: Apache-2.0
import Synchronization
public import TernErrors

/// Reports the progress of a call's bodies, to closures or as sequences.
///
/// The closures run off the main thread:
///
/// ```swift
/// let delegate = ProgressDelegate(onReceive: { print($0.fractionCompleted ?? 0) })
/// let (file, _) = try await client.download(from: url, delegate: delegate)
/// ```
///
/// A loop over a sequence stays on its own actor, so a sequence suits a view:
///
/// ```swift
/// let progress = ProgressDelegate()
/// async let download = client.download(from: url, delegate: progress)
/// for await update in progress.received { bar.fraction = update.fractionCompleted }
/// let (file, _) = try await download
/// ```
///
/// Use a `ProgressDelegate` for one call at a time. When a call has ended, its sequences end; read ``sent`` or ``received`` again
/// for the next call. While a closure or a loop is busy, a newer update may replace the one that waits. After a retry, a redirect
/// or a challenge, progress starts at zero again, except in a transfer that can be resumed.
public final class ProgressDelegate: TaskDelegate {
    /// The progress of sending the request body, in bytes that the client has begun to send; ends with the call.
    ///
    /// Only one loop at a time may iterate over this sequence. When a call has ended, read this property again for the sequence of
    /// the next call.
    public var sent: AsyncStream<TransferProgress> { self.sending.withLock { $0.take() } }
    /// The progress of reading the response body; ends with the call, and is for one loop at a time, like ``sent``.
    public var received: AsyncStream<TransferProgress> { self.receiving.withLock { $0.take() } }

    private struct Updates: Sendable {
        private var pair = AsyncStream<TransferProgress>.makeStream(bufferingPolicy: .bufferingNewest(1))
        private var isTaken = false
        private var isOver = false

        /// Returns the sequence, or a new one if the last has ended and was taken already.
        mutating func take() -> AsyncStream<TransferProgress> {
            if self.isOver, self.isTaken { self = Updates() }
            self.isTaken = true
            return self.pair.stream
        }

        /// Returns the continuation for an update; the first update after the end of a call belongs to another call.
        mutating func continuation() -> AsyncStream<TransferProgress>.Continuation {
            if self.isOver { self = Updates() }
            return self.pair.continuation
        }

        /// Returns the continuation to finish at the end of the call.
        mutating func end() -> AsyncStream<TransferProgress>.Continuation {
            if self.isOver { self = Updates() }
            self.isOver = true
            return self.pair.continuation
        }
    }

    private let onReceive: (@Sendable (TransferProgress) -> Void)?
    private let onSend: (@Sendable (TransferProgress) -> Void)?
    private let sending = Mutex(Updates())
    private let receiving = Mutex(Updates())

    /// Creates a delegate for one call at a time.
    ///
    /// The client calls the closures one at a time, off the main thread and off the event loops. If the call is cancelled or out of
    /// time, a closure may run after the call has ended.
    ///
    /// - Parameters:
    ///   - onReceive: A closure that the client calls with the progress of reading the response body.
    ///   - onSend: A closure that the client calls with the progress of sending the request body.
    public init(
        onReceive: (@Sendable (TransferProgress) -> Void)? = nil,
        onSend: (@Sendable (TransferProgress) -> Void)? = nil
    ) {
        self.onReceive = onReceive
        self.onSend = onSend
    }

    // If no call used this delegate, end the loops that wait for progress.
    deinit { self.finish() }

    public func task(_ task: TaskInfo, didSendBodyData progress: TransferProgress) {
        self.onSend?(progress)
        self.sending.withLock { $0.continuation() }.yield(progress)
    }

    public func task(_ task: TaskInfo, didReceiveBodyData progress: TransferProgress) {
        self.onReceive?(progress)
        self.receiving.withLock { $0.continuation() }.yield(progress)
    }

    public func task(_ task: TaskInfo, didCompleteWith error: ClientError?) { self.finish() }

    private func finish() {
        self.sending.withLock { $0.end() }.finish()
        self.receiving.withLock { $0.end() }.finish()
    }
}
