// SPDX-License-Identifier: Apache-2.0
import NIOCore
import Synchronization
import TernConnections

/// Says whether a processor is free: for a reader of a channel that would poll, and for a caller that would send itself.
///
/// It is free if few readers of the process wait, see ``RecentWaits``. One processor is for everything else; the peer may be on the
/// same machine.
struct SpinPolicy: ~Copyable, Sendable {
    /// The longest busy wait of a reader: about as long as suspending a task and waking a thread for it takes.
    static let pollingTime = Duration.microseconds(50)

    /// The most bytes that the calling thread encrypts and sends as an answer, or polls for.
    ///
    /// More bytes go through another thread, unless they are only copied, so that the caller prepares or stores some bytes while
    /// that thread encrypts or decrypts others.
    static let maximumAnswerByteCount = 16 << 10

    /// The length from which bytes that are only copied get their own write; another thread sends several shorter pieces at once.
    static let minimumCopiedByteCount = 8 << 10

    /// The waits of all connections of the process, because they share its processors.
    private static let sharedWaits = RecentWaits()
    /// Kept, because NIO reads the number from files.
    private static let sharedProcessorCount = System.coreCount

    private let waits: RecentWaits
    private let processorCount: Int
    private let polls: Bool
    private let polling = Mutex(PollingStateMachine())
    /// Whether few readers waited when a reader of this channel last began to wait.
    private let isQuiet = Atomic<Bool>(true)
    /// Whether the peer has sent something since the last flush.
    private let isOurTurn = Atomic<Bool>(true)

    init(polls: Bool) {
        self.init(polls: polls, processorCount: Self.sharedProcessorCount, waits: Self.sharedWaits)
    }

    init(polls: Bool, processorCount: Int, waits: RecentWaits) {
        self.polls = polls
        self.processorCount = processorCount
        self.waits = waits
    }

    // MARK: Readers

    /// Counts a reader that begins to wait, until ``ended(_:)``, and returns whether a processor is free for it.
    func readerWaits(at now: ClockInstant) -> (wait: ReaderWait, isFree: Bool) {
        let (wait, otherCount) = self.waits.begin(at: now)
        let isFree = otherCount + 1 < self.processorCount
        self.isQuiet.store(isFree || otherCount == 0, ordering: .relaxed)
        return (wait, isFree)
    }

    func ended(_ wait: ReaderWait) { self.waits.end(wait) }

    /// Returns whether a reader polls for so many bytes, if a processor is free for it; then call ``pollEnded(succeeds:)``.
    func pollBegins(forAtLeast byteCount: Int) -> Bool {
        self.polls && byteCount <= Self.maximumAnswerByteCount && self.polling.withLock { $0.begins() }
    }

    func pollEnded(succeeds: Bool) { self.polling.withLock { $0.ended(succeeds: succeeds) } }

    // MARK: Callers that send

    /// The peer has sent something.
    func received() { self.isOurTurn.store(true, ordering: .relaxed) }

    /// Returns whether the caller sends what it has queued: if few readers wait, and it is an answer, or long and only copied.
    ///
    /// An answer is short, and the peer has sent something since the last flush. Otherwise the ``Readiness`` thread sends
    /// everything that several callers have queued in one write.
    func callerSends(_ byteCount: Int64, isCopied: Bool) -> Bool {
        let isAnswer =
            self.isOurTurn.exchange(false, ordering: .relaxed) && byteCount <= Int64(Self.maximumAnswerByteCount)
        let isWorthOneWrite = isCopied && byteCount >= Int64(Self.minimumCopiedByteCount)
        return (isAnswer || isWorthOneWrite) && self.isQuiet.load(ordering: .relaxed)
    }
}
