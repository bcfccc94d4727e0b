// SPDX-License-Identifier: Apache-2.0
public import NIOCore
import TernErrors

/// A duplex stream of bytes: a TCP socket, TLS, a Unix-domain socket, a tunnel, or two pipes in a test.
///
/// Bytes are *pulled*: nothing is delivered until ``read(atLeast:deadline:)`` asks. A connection buffers a bounded
/// number of bytes ahead of its reader and then stops reading from the network, so a slow consumer slows the peer.
///
/// One task reads at a time; any number may write.
public protocol Connection: AnyObject, Sendable {
    /// Waits until `byteCount` bytes have arrived, or the connection's buffer is full, and gives the first of them.
    ///
    /// - Parameters:
    ///   - byteCount: how many bytes to gather before waking the caller; at least 1. What is gathered beyond the
    ///     returned buffer is given by the next calls without waiting.
    ///   - deadline: When to give up, or to accept fewer bytes. `nil` waits without a limit.
    /// - Returns: the next bytes, never empty; `nil` once the peer has ended its side in order.
    /// - Throws: ``ConnectionError/cancelled`` when the task is cancelled, ``ConnectionError/timedOut(_:)`` when
    ///   nothing at all has arrived by the deadline, and otherwise how the connection failed. Bytes that arrived before a failure are given first.
    func read(atLeast byteCount: Int, deadline: CallDeadline?) async throws(ConnectionError) -> ByteBuffer?

    /// Sets a deadline for all reads, waiting and later ones, in addition to their own; `nil` lifts it.
    func limitReads(to deadline: CallDeadline?)

    /// Takes bytes that have arrived already, without waiting; `nil` if there are none.
    func readAvailable() -> ByteBuffer?

    /// Queues bytes to be sent, without waiting, even where there is no room for them.
    ///
    /// What is queued by several tasks is sent in the order of the calls, each buffer in one piece.
    ///
    /// - Returns: whether there is room for more; if not, ``waitForRoom(deadline:)`` before the next.
    /// - Throws: ``ConnectionError``; after it nothing more can be sent.
    func enqueue(_ bytes: ByteBuffer) throws(ConnectionError) -> Bool

    /// Queues a part of a file to be sent, as ``enqueue(_:)`` does bytes; the file is kept open until it has been sent.
    ///
    /// - Returns: whether there is room for more; `nil` if the connection can send files only through memory.
    /// - Throws: ``ConnectionError``; after it nothing more can be sent.
    func enqueue(_ file: ReadableFile, range: Range<Int64>) throws(ConnectionError) -> Bool?

    /// Waits until there is room for more; any number of tasks may wait at once.
    ///
    /// - Parameter deadline: When to give up. `nil` waits without a limit.
    /// - Throws: ``ConnectionError``. Cancellation of the task ends the waiting; what was queued is sent all the same.
    func waitForRoom(deadline: CallDeadline?) async throws(ConnectionError)

    /// How many bytes of a file may be handed to ``write(_:range:deadline:)`` at once.
    var maximumFileSegmentByteCount: Int64 { get }

    /// Whether a new exchange may begin: the connection is open, nothing has ended, no unread byte is there, and nothing
    /// that was queued is still to be sent.
    var isReadyForExchange: Bool { get }

    /// Sets what to call, once, from any thread, when the peer ends its side or the connection fails.
    func onEnd(_ action: @escaping @Sendable () -> Void)

    /// An executor on which a task is closest to the connection, if there is one.
    var executor: (any TaskExecutor)? { get }

    /// The two ends, as far as they are known.
    var addresses: ConnectionAddresses { get }

    /// Negotiates TLS: from its end on all bytes are encrypted. It may be done twice, through a proxy that speaks TLS.
    ///
    /// Only where nothing is being read or written, and nothing unread is there.
    ///
    /// - Parameters:
    ///   - configuration: Which servers to trust, and what to offer them.
    ///   - host: the name or address of the server at the other end, which its certificate must bear.
    ///   - port: the server's port, from 1 to 65535; for the decider only.
    ///   - decider: is asked about trust and for a certificate; `nil` leaves both to the configuration.
    ///   - deadline: When to give up. `nil` waits without a limit.
    /// - Returns: what was agreed.
    /// - Throws: ``ConnectionError``, as a rule ``ConnectionError/tls(_:)``; the connection is of no more use then.
    ///   Cancelling the task closes it.
    func startTLS(
        _ configuration: TLSConfiguration,
        to host: String,
        port: Int,
        asking decider: (any TLSDecider)?,
        deadline: CallDeadline?
    ) async throws(ConnectionError) -> TLSFacts

    /// Closes at once; pending and later reads and writes fail. Safe to call repeatedly and from any thread.
    ///
    /// What was queued and can be sent without waiting is sent before, up to the first part of a file: that would be read
    /// only when it is sent, and might hold something else by then.
    func close()

    /// Closes as ``close()`` does, and calls `action` once, from any thread, when the system has the descriptor back.
    ///
    /// That must not depend on the peer: the pool makes no other connection in its place before. By default `action` is
    /// called at once.
    ///
    /// - Parameter action: what to do then.
    func close(then action: @escaping @Sendable () -> Void)
}

extension Connection {
    /// 256 KiB: as much as is read into memory at once where the file cannot be sent by the system itself.
    public var maximumFileSegmentByteCount: Int64 { 256 << 10 }

    /// None.
    public var executor: (any TaskExecutor)? { nil }

    /// Not known.
    public var addresses: ConnectionAddresses { ConnectionAddresses() }

    /// Not possible.
    public func startTLS(
        _ configuration: TLSConfiguration,
        to host: String,
        port: Int,
        asking decider: (any TLSDecider)?,
        deadline: CallDeadline?
    ) async throws(ConnectionError) -> TLSFacts {
        throw .tls(.configuration("this kind of connection cannot be encrypted"))
    }

    /// Not at all.
    public func enqueue(_ file: ReadableFile, range: Range<Int64>) throws(ConnectionError) -> Bool? { nil }

    /// Closes, and takes the descriptor to be free then.
    public func close(then action: @escaping @Sendable () -> Void) {
        self.close()
        action()
    }

    /// Closes, and returns when the system has the descriptor back; cancelling the task does not shorten that.
    package func closeAndWait() async {
        await withUnsafeContinuation { continuation in self.close { continuation.resume() } }
    }

    /// Sends bytes, and returns as soon as there is room for more.
    ///
    /// - Parameters:
    ///   - bytes: what to send.
    ///   - deadline: When to stop waiting for room. `nil` waits without a limit.
    /// - Throws: ``ConnectionError``; after it nothing more can be sent. Cancellation of the task ends the waiting.
    public func write(_ bytes: ByteBuffer, deadline: CallDeadline?) async throws(ConnectionError) {
        if try !self.enqueue(bytes) { try await self.waitForRoom(deadline: deadline) }
    }

    /// Sends a part of a file, and returns as soon as there is room for more.
    ///
    /// - Parameters:
    ///   - file: the file; kept open until it has been sent.
    ///   - range: which bytes of it.
    ///   - deadline: When to stop waiting for room. `nil` waits without a limit.
    /// - Throws: ``ConnectionError``, with ``ConnectionError/file(_:)`` when the file cannot be read that far.
    public func write(
        _ file: ReadableFile,
        range: Range<Int64>,
        deadline: CallDeadline?
    ) async throws(ConnectionError) {
        guard let hasRoom = try self.enqueue(file, range: range) else {
            return try await self.writeThroughMemory(file, range: range, deadline: deadline)
        }
        if !hasRoom { try await self.waitForRoom(deadline: deadline) }
    }

    private func writeThroughMemory(
        _ file: ReadableFile,
        range: Range<Int64>,
        deadline: CallDeadline?
    ) async throws(ConnectionError) {
        var offset = range.lowerBound
        while offset < range.upperBound {
            let count = Int(min(self.maximumFileSegmentByteCount, range.upperBound - offset))
            let bytes: ByteBuffer
            do throws(FileReadError) {
                bytes = try await file.read(byteCount: count, at: offset)
            } catch {
                throw .file(error.reason)
            }
            offset += Int64(bytes.readableBytes)
            try await self.write(bytes, deadline: deadline)
        }
    }
}
