// SPDX-License-Identifier: Apache-2.0
import TernConnections

/// A channel whose socket the calling threads read and write themselves.
protocol DirectNetwork: InboxSource {
    /// Performs a flush on this thread, if that is likely to be fastest; otherwise soon, on another thread.
    ///
    /// - Parameters:
    ///   - byteCount: The number of bytes that wait to be sent.
    ///   - isCopied: Whether the system only copies the bytes, which are neither encrypted nor in a file.
    ///   - flush: Writes the bytes to the channel, on the channel's loop.
    func flushSoon(_ byteCount: Int64, isCopied: Bool, _ flush: @escaping @Sendable () -> Void)

    /// Leaves receiving to another thread, until a reader polls again.
    ///
    /// Call this method when neither a task nor an action waits for the bytes, but a handler of the channel does.
    func watch()

    /// Asks for more bytes for a reader, which has just taken bytes or is about to wait.
    ///
    /// Call this method only if the channel has no handler for TLS, because a handler may want bytes without a reader.
    func readerDemands()

    /// Whether the system has taken all bytes that were written to the channel and flushed.
    var hasSentAll: Bool { get }

    /// Receives what has arrived, if no thread watches the socket.
    func receiveUnwatched()
}
