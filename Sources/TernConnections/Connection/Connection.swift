// SPDX-License-Identifier: Apache-2.0
public import NIOCore
import TernErrors

/// A duplex stream of bytes: a TCP socket, TLS, a Unix domain socket, a tunnel, or two pipes in a test.
///
/// Bytes are *pulled*: nothing is delivered until ``read(atLeast:deadline:)`` asks. A connection buffers a limited
/// number of bytes ahead of its reader and then stops reading from the network, so a slow consumer slows down the peer.
///
/// One task reads at a time; any number may write.
public protocol Connection: AnyObject, Sendable {
    /// Waits until `byteCount` bytes have arrived, or the connection's buffer is full, and returns the first of them.
    ///
    /// - Parameters:
    ///   - byteCount: The number of bytes to gather before waking the caller; at least 1. Bytes that are gathered
    ///     beyond the returned buffer are returned by the next calls without waiting.
    ///   - deadline: The deadline for waiting, after which fewer bytes are returned. `nil` sets no limit.
    /// - Returns: The next bytes, never empty; `nil` once the peer has ended its side normally.
    /// - Throws: ``ConnectionError/cancelled`` when the task is cancelled, ``ConnectionError/timedOut(_:)`` when
    ///   nothing at all has arrived by the deadline, and another error when the connection failed. Bytes that arrived
    ///   before a failure are returned first.
    func read(atLeast byteCount: Int, deadline: CallDeadline?) async throws(ConnectionError) -> ByteBuffer?

    /// Sets a deadline for all current and later reads, in addition to their own; `nil` removes it.
    func limitReads(to deadline: CallDeadline?)

    /// Returns bytes that have arrived already, without waiting; `nil` if there are none.
    func readAvailable() -> ByteBuffer?

    /// Queues bytes to send, without waiting, even if there is no room for them.
    ///
    /// Bytes of several tasks are sent in the order of the calls, each buffer in one piece.
    ///
    /// - Returns: `true` if there is room for more; if not, call ``waitForRoom(deadline:)`` before the next.
    /// - Throws: ``ConnectionError``; after that nothing more can be sent.
    func enqueue(_ bytes: ByteBuffer) throws(ConnectionError) -> Bool

    /// Queues a part of a file to send, like ``enqueue(_:)``; the file is kept open until it has been sent.
    ///
    /// - Returns: `true` if there is room for more; `nil` if the connection can send files only through memory.
    /// - Throws: ``ConnectionError``; after that nothing more can be sent.
    func enqueue(_ file: ReadableFile, range: Range<Int64>) throws(ConnectionError) -> Bool?

    /// Waits until there is room for more; any number of tasks may wait at once.
    ///
    /// - Parameter deadline: The deadline for waiting. `nil` sets no limit.
    /// - Throws: ``ConnectionError``. Cancelling the task ends the wait; queued bytes are sent anyway.
    func waitForRoom(deadline: CallDeadline?) async throws(ConnectionError)

    /// The number of bytes of a file that may be passed to ``write(_:range:deadline:)`` at once.
    var maximumFileSegmentByteCount: Int64 { get }

    /// Whether a new exchange may begin: the connection is open in both directions, has no unread bytes, and has sent
    /// everything that was queued.
    var isReadyForExchange: Bool { get }

    /// Sets an action to call once, from any thread, when the peer ends its side or the connection fails.
    func onEnd(_ action: @escaping @Sendable () -> Void)

    /// The executor that runs tasks on the thread that serves the connection; `nil` if there is none.
    var executor: (any TaskExecutor)? { get }

    /// The addresses of both ends, as far as they are known.
    var addresses: ConnectionAddresses { get }

    /// Negotiates TLS; after that all bytes are encrypted. It may be called twice: for a proxy that uses TLS itself,
    /// and then for the server.
    ///
    /// Call it only when nothing is being read or written, and no bytes are unread.
    ///
    /// - Parameters:
    ///   - configuration: Which servers to trust, and what to offer them.
    ///   - host: The name or address of the server, which its certificate must contain.
    ///   - port: The server's port, from 1 to 65535; for the decider only.
    ///   - decider: Decides about trust and chooses a certificate. `nil` leaves both to the configuration.
    ///   - deadline: The deadline for the handshake. `nil` sets no limit.
    /// - Returns: The negotiated parameters.
    /// - Throws: ``ConnectionError``, usually ``ConnectionError/tls(_:)``; the connection cannot be used then.
    ///   Cancelling the task closes it.
    func startTLS(
        _ configuration: TLSConfiguration,
        to host: String,
        port: Int,
        asking decider: (any TLSDecider)?,
        deadline: CallDeadline?
    ) async throws(ConnectionError) -> TLSFacts

    /// Closes at once; pending and later reads and writes fail. Can be called repeatedly and from any thread.
    ///
    /// Queued bytes that can be sent without waiting are sent first, up to the first part of a file: a file is read
    /// only when it is sent, and its content might have changed by then.
    func close()

    /// Closes like ``close()``, and calls `action` once, from any thread, when the system has released the descriptor.
    ///
    /// The release must not depend on the peer: until then, the pool opens no other connection in its place. The
    /// default implementation calls `action` at once.
    ///
    /// - Parameter action: The action to run then.
    func close(then action: @escaping @Sendable () -> Void)
}

extension Connection {
    /// The default, 256 KiB: the amount to read into memory at once if the system cannot send the file itself.
    public var maximumFileSegmentByteCount: Int64 { 256 << 10 }

    /// The default executor, `nil`.
    public var executor: (any TaskExecutor)? { nil }

    /// The default, without addresses.
    public var addresses: ConnectionAddresses { ConnectionAddresses() }

    /// Throws an error, because this kind of connection cannot be encrypted.
    public func startTLS(
        _ configuration: TLSConfiguration,
        to host: String,
        port: Int,
        asking decider: (any TLSDecider)?,
        deadline: CallDeadline?
    ) async throws(ConnectionError) -> TLSFacts {
        throw .tls(.configuration("this kind of connection cannot be encrypted"))
    }

    /// Returns `nil`: files can only be sent through memory.
    public func enqueue(_ file: ReadableFile, range: Range<Int64>) throws(ConnectionError) -> Bool? { nil }

    /// Closes, and assumes that the descriptor is released at once.
    public func close(then action: @escaping @Sendable () -> Void) {
        self.close()
        action()
    }

    /// Closes, and returns when the system has released the descriptor; cancelling the task does not shorten the wait.
    package func closeAndWait() async {
        await withUnsafeContinuation { continuation in self.close { continuation.resume() } }
    }

    /// Sends bytes, and returns as soon as there is room for more.
    ///
    /// - Parameters:
    ///   - bytes: The bytes to send.
    ///   - deadline: The deadline for waiting for room. `nil` sets no limit.
    /// - Throws: ``ConnectionError``; after that nothing more can be sent. Cancelling the task ends the wait.
    public func write(_ bytes: ByteBuffer, deadline: CallDeadline?) async throws(ConnectionError) {
        if try !self.enqueue(bytes) { try await self.waitForRoom(deadline: deadline) }
    }

    /// Sends a part of a file, and returns as soon as there is room for more.
    ///
    /// - Parameters:
    ///   - file: The file; it is kept open until it has been sent.
    ///   - range: The range of bytes to send.
    ///   - deadline: The deadline for waiting for room. `nil` sets no limit.
    /// - Throws: ``ConnectionError``; ``ConnectionError/file(_:)`` when the file cannot be read that far.
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
