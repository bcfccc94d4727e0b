// SPDX-License-Identifier: Apache-2.0
public import NIOCore
import TernErrors

/// A duplex stream of bytes, such as a TCP socket, TLS, a Unix domain socket, a tunnel, or two pipes in a test.
///
/// A connection delivers bytes only when its reader asks, and buffers a limited number ahead, so a slow reader slows down the
/// peer. Only one task may read at a time; any number of tasks may write. After ``enqueue(_:)`` has thrown an error, the
/// connection can send nothing more.
public protocol Connection: AnyObject, Sendable {
    /// Waits until `byteCount` bytes have arrived, or the connection's buffer is full, and returns the first of these bytes.
    ///
    /// - Parameters:
    ///   - byteCount: The number of bytes to wait for, at least 1. If the result has fewer, the next calls return the rest of
    ///     the bytes that have arrived, without waiting.
    ///   - deadline: When the deadline passes, the method returns the bytes that have arrived. `nil` sets no limit.
    /// - Returns: The next bytes, never empty; `nil` once the peer has ended its side normally.
    /// - Throws: ``ConnectionError/cancelled``; ``ConnectionError/timedOut(_:)`` when no byte has arrived by the deadline;
    ///   ``ConnectionError/concurrentReads``; the failure of the connection, after the bytes that arrived before it.
    func read(atLeast byteCount: Int, deadline: CallDeadline?) async throws(ConnectionError) -> ByteBuffer?

    /// Returns the next bytes if they have arrived; otherwise returns `nil`, and later calls `action` once with them.
    ///
    /// This saves the change to a task for a reader that handles the bytes at once, and copies what it keeps. Such a reader counts
    /// as a task that reads. The default implementation reads in a task.
    ///
    /// - Parameter action: Handles the result on any thread, such as the connection's, without blocking. It never runs during
    ///   ``enqueue(_:)``, so the reader may hold a lock while it calls that method.
    /// - Returns: The result: the next bytes, `.success(nil)` at the peer's normal end, or the failure. `nil` if the reader
    ///   must wait.
    func read(
        orLater action: @escaping @Sendable (Result<ByteBuffer?, ConnectionError>) -> Void
    ) -> Result<ByteBuffer?, ConnectionError>?

    /// Sets a deadline for the current read and all later reads, in addition to each read's own deadline; `nil` removes it.
    func limitReads(to deadline: CallDeadline?)

    /// Returns bytes that have arrived already, without waiting; `nil` if there are none.
    func readAvailable() -> ByteBuffer?

    /// Queues bytes to send without waiting, even if the buffer is full, in the order of the calls.
    ///
    /// - Returns: `true` if there is room for more. After `false`, call ``waitForRoom(deadline:)`` before the next bytes.
    /// - Throws: ``ConnectionError``.
    func enqueue(_ bytes: ByteBuffer) throws(ConnectionError) -> Bool

    /// Queues a part of a file to send, like ``enqueue(_:)``, and keeps the file open until the part is sent.
    ///
    /// - Returns: `true` if there is room for more; `nil`, as by default, if the connection cannot send files itself, so that
    ///   the caller queues the bytes.
    /// - Throws: ``ConnectionError``.
    func enqueue(_ file: ReadableFile, range: Range<Int64>) throws(ConnectionError) -> Bool?

    /// Waits until there is room for more bytes to send; cancelling it does not keep the queued bytes from being sent.
    func waitForRoom(deadline: CallDeadline?) async throws(ConnectionError)

    /// The maximum number of bytes of a file to pass to one call of ``write(_:range:deadline:)``; by default 256 KiB.
    var maximumFileSegmentByteCount: Int64 { get }

    /// Whether a new exchange may begin: the connection is open both ways, has no unread bytes, and has sent all queued ones.
    ///
    /// The property may look for the peer's end, and so call the action of ``onEnd(_:)``; hold no lock that the action needs.
    var isReadyForExchange: Bool { get }

    /// Sets an action to call once, from any thread, when the peer ends its side or the connection fails, or if that has happened.
    func onEnd(_ action: @escaping @Sendable () -> Void)

    /// The executor that runs tasks on the thread that serves the connection; by default `nil`.
    var executor: (any TaskExecutor)? { get }

    /// The addresses of both ends, as far as they are known.
    var addresses: ConnectionAddresses { get }

    /// Negotiates TLS, which encrypts all later bytes: for a proxy, and then again for the server.
    ///
    /// Call this method only while no task reads or writes, and no bytes are unread. Cancelling the task closes the connection.
    ///
    /// - Parameters:
    ///   - configuration: The servers to trust, and the versions and certificate to offer to them.
    ///   - host: The name or address that the server's certificate must contain.
    ///   - port: The server's port, for the decider.
    ///   - decider: Decides about trust and chooses a certificate. `nil` leaves both to the configuration.
    ///   - deadline: The deadline for the handshake. `nil` sets no limit.
    /// - Returns: The negotiated parameters.
    /// - Throws: ``ConnectionError``, usually ``ConnectionError/tls(_:)``, after which the connection cannot be used.
    func startTLS(
        _ configuration: TLSConfiguration,
        to host: String,
        port: Int,
        asking decider: (any TLSDecider)?,
        deadline: CallDeadline?
    ) async throws(ConnectionError) -> TLSFacts

    /// Closes the connection at once, on any thread, any number of times; pending and later reads and writes fail.
    ///
    /// It first sends the queued bytes before the first queued file, as far as it can without waiting. It may run the actions of
    /// readers on this thread, so hold no lock that they need.
    func close()

    /// Closes the connection like ``close()``, and calls `action` once, from any thread, when the descriptor is released.
    ///
    /// Until then, the pool opens no other connection in place of this one, so the release must not depend on the peer. The default
    /// implementation calls `action` at once.
    func close(then action: @escaping @Sendable () -> Void)
}

extension Connection {
    public var maximumFileSegmentByteCount: Int64 { 256 << 10 }

    public var executor: (any TaskExecutor)? { nil }

    public var addresses: ConnectionAddresses { ConnectionAddresses() }

    public func read(
        orLater action: @escaping @Sendable (Result<ByteBuffer?, ConnectionError>) -> Void
    ) -> Result<ByteBuffer?, ConnectionError>? {
        if let bytes = self.readAvailable() { return .success(bytes) }
        Task.detached(executorPreference: self.executor) {
            let result: Result<ByteBuffer?, ConnectionError>
            do throws(ConnectionError) {
                result = .success(try await self.read(atLeast: 1, deadline: nil))
            } catch {
                result = .failure(error)
            }
            action(result)
        }
        return nil
    }

    /// Throws an error, because this kind of connection does not support TLS.
    public func startTLS(
        _ configuration: TLSConfiguration,
        to host: String,
        port: Int,
        asking decider: (any TLSDecider)?,
        deadline: CallDeadline?
    ) async throws(ConnectionError) -> TLSFacts {
        throw .tls(.configuration("this kind of connection cannot be encrypted"))
    }

    public func enqueue(_ file: ReadableFile, range: Range<Int64>) throws(ConnectionError) -> Bool? { nil }

    public func close(then action: @escaping @Sendable () -> Void) {
        self.close()
        action()
    }

    /// Closes the connection, and returns when the system has released the descriptor, even if the task is cancelled.
    package func closeAndWait() async {
        await withUnsafeContinuation { continuation in self.close { continuation.resume() } }
    }

    /// Queues bytes to send, and returns as soon as there is room for more; cancelling the task ends the wait.
    public func write(_ bytes: ByteBuffer, deadline: CallDeadline?) async throws(ConnectionError) {
        if try !self.enqueue(bytes) { try await self.waitForRoom(deadline: deadline) }
    }

    /// Queues a part of a file to send, through memory if need be, and returns as soon as there is room for more.
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
