// SPDX-License-Identifier: Apache-2.0

/// When a reader began to wait, as its source counts time.
package struct ReaderWait: Sendable {
    package let period: UInt64

    package init(period: UInt64) { self.period = period }
}

/// A network that can receive bytes on the thread of the reader that waits, which spares waking a thread.
package protocol InboxSource: AnyObject, Sendable {
    /// Receives bytes on this thread for a short time, without a lock, before a task waits; returns a value for ``ended(_:)``.
    func readerWaits(forAtLeast byteCount: Int, until isSatisfied: () -> Bool) -> ReaderWait

    func ended(_ wait: ReaderWait)

    /// Makes the network's thread receive bytes, because an action waits for them.
    func actionWaits()
}

package protocol SourcedConnection: Connection {
    /// The network; `nil` if only its own thread receives bytes.
    var source: (any InboxSource)? { get }
}
