// SPDX-License-Identifier: Apache-2.0
import Synchronization
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
/// Use a `ProgressDelegate` for one call at a time. When a call has ended, the delegate can report the progress of
/// another one: ask for the sequence again. A call that has another delegate does not need this one, because its own
/// delegate receives the same progress. While a closure or a loop is busy, a newer update replaces the one that waits,
/// so the next update has the latest count. After a retry or a redirect, progress starts at zero again, except in a
/// download that continues.
public final class ProgressDelegate: TaskDelegate {
    /// The progress of sending the request body, in bytes handed to the network; ends with the call.
    ///
    /// Only one loop at a time may iterate over this sequence. If the loop is slow, it receives only the latest count.
    /// After the end of a call whose sequence was taken, this property is the sequence of the next call.
    public var sent: AsyncStream<TransferProgress> { self.sending.withLock { $0.take() } }
    /// The progress of reading the response body; ends with the call.
    ///
    /// Only one loop at a time may iterate over this sequence. If the loop is slow, it receives only the latest count.
    /// After the end of a call whose sequence was taken, this property is the sequence of the next call.
    public var received: AsyncStream<TransferProgress> { self.receiving.withLock { $0.take() } }

    /// The sequence for one direction of the current call, or of the next one.
    private struct Updates: Sendable {
        private var pair = AsyncStream<TransferProgress>.makeStream(bufferingPolicy: .bufferingNewest(1))
        /// Whether the application has asked for the sequence.
        private var isTaken = false
        /// Whether the call has ended.
        private var isOver = false

        /// Returns the sequence.
        ///
        /// A sequence that has ended, and that the application has, cannot be what the application asks for.
        mutating func take() -> AsyncStream<TransferProgress> {
            if self.isOver, self.isTaken { self = Updates() }
            self.isTaken = true
            return self.pair.stream
        }

        /// Returns the continuation for an update.
        ///
        /// No update of a call comes after its end, so this update is the first one of another call.
        mutating func continuation() -> AsyncStream<TransferProgress>.Continuation {
            if self.isOver { self = Updates() }
            return self.pair.continuation
        }

        /// Returns the continuation to finish at the end of the call.
        ///
        /// If the last call has ended already, this one had no update.
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
