// SPDX-License-Identifier: Apache-2.0

/// A network that can receive bytes on the thread of the reader that waits for them.
///
/// Waking a thread costs tens of microseconds on many machines, often more than the answer takes. A reader that receives
/// the bytes itself needs no other thread.
package protocol InboxSource: AnyObject, Sendable {
    /// Receives bytes on this thread for a short time, if that is likely to spare the reader a wait.
    ///
    /// Call this method before a task waits, without a lock.
    ///
    /// - Parameters:
    ///   - byteCount: The number of bytes that the reader waits for.
    ///   - isSatisfied: Returns whether the reader need not wait any longer.
    /// - Returns: A value to pass to ``ended(_:)`` when the wait is over.
    func readerWaits(forAtLeast byteCount: Int, until isSatisfied: () -> Bool) -> RecentWaits.Wait

    /// Records that the reader no longer waits.
    func ended(_ wait: RecentWaits.Wait)

    /// Makes the network's thread receive bytes, because an action waits for them.
    func actionWaits()
}

/// A connection whose network is an ``InboxSource``.
package protocol SourcedConnection: Connection {
    /// The network; `nil` if only its own thread receives bytes.
    var source: (any InboxSource)? { get }
}
