// SPDX-License-Identifier: Apache-2.0
import TernConnections

protocol DirectNetwork: InboxSource {
    /// Performs a flush on this thread, if that is likely to be fastest, for example if the system only copies the bytes.
    func flushSoon(_ byteCount: Int64, isCopied: Bool, _ flush: @escaping @Sendable () -> Void)

    /// Leaves receiving to another thread until a reader polls again, for a handler that wants bytes without a reader.
    func watch()

    /// Asks for more bytes for a reader of a channel without TLS; a handler for TLS asks for bytes itself, also without a reader.
    func readerDemands()

    /// Sets, on the loop, the action to call each time that the socket has taken bytes after it was full.
    func onProgress(_ action: @escaping @Sendable () -> Void)

    /// Whether the system has taken all bytes that were written to the channel and flushed.
    var hasSentAll: Bool { get }

    /// Receives what has arrived, if no thread watches the socket.
    func receiveUnwatched()
}
