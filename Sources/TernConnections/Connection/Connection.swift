// SPDX-License-Identifier: Apache-2.0
public import NIOCore
import TernErrors

/// A duplex stream of bytes, such as a TCP socket, TLS, a Unix domain socket, a tunnel, or two pipes in a test.
///
/// The reader *pulls* bytes: the connection delivers them only when the reader calls ``read(atLeast:deadline:)``. A
/// connection buffers a limited number of bytes ahead of its reader, and then stops reading from the network. So a slow
/// reader slows down the peer.
///
/// Only one task may read at a time; any number of tasks may write.
public protocol Connection: AnyObject, Sendable {
    /// Waits until `byteCount` bytes have arrived, or the connection's buffer is full, and returns the first of these
    /// bytes.
    ///
    /// - Parameters:
    ///   - byteCount: The number of bytes to wait for; at least 1. The result may contain only some of these bytes. The
    ///     next calls return the others without waiting.
    ///   - deadline: The deadline for waiting. When the deadline passes, the method returns the bytes that have
    ///     arrived. `nil` sets no limit.
    /// - Returns: The next bytes, never empty; `nil` once the peer has ended its side normally.
    /// - Throws: ``ConnectionError/cancelled`` when the task is cancelled, ``ConnectionError/timedOut(_:)`` when no
    ///   byte has arrived by the deadline, and another error when the connection failed. Reads return the bytes that
    ///   arrived before a failure, and only then throw the error.
    func read(atLeast byteCount: Int, deadline: CallDeadline?) async throws(ConnectionError) -> ByteBuffer?

    /// Returns the next bytes if they have arrived; otherwise returns `nil`, and later calls `action` once with them.
    ///
    /// This is for a reader that handles the bytes at once, on whatever thread they arrive, and so saves the change to
    /// a task. It copies what it keeps, so that the connection can use the storage again. It counts as a task that
    /// reads. The default implementation reads in a task.
    ///
    /// - Parameter action: Handles the result. The connection calls it from the thread that serves the connection, or
    ///   from the thread that closes it, but never during ``enqueue(_:)``, so the reader may hold a lock there. The
    ///   action must not block.
    /// - Returns: The next bytes, or `nil` in place of bytes if the peer has ended its side normally, or the failure of
    ///   the connection; `nil` if the reader must wait.
    func read(
        orLater action: @escaping @Sendable (Result<ByteBuffer?, ConnectionError>) -> Void
    ) -> Result<ByteBuffer?, ConnectionError>?

    /// Sets a deadline for the current read and all later reads, in addition to each read's own deadline.
    ///
    /// `nil` removes the deadline that an earlier call of this method set.
    func limitReads(to deadline: CallDeadline?)

    /// Returns bytes that have arrived already, without waiting; `nil` if there are none.
    func readAvailable() -> ByteBuffer?

    /// Queues bytes to send. Does not wait, and accepts the bytes even if the buffer is full.
    ///
    /// The connection sends the buffers of several tasks in the order of the calls, and does not mix their bytes.
    ///
    /// - Returns: `true` if there is room for more. After `false`, call ``waitForRoom(deadline:)`` before the next
    ///   bytes.
    /// - Throws: ``ConnectionError``. After an error, the connection can send nothing more.
    func enqueue(_ bytes: ByteBuffer) throws(ConnectionError) -> Bool

    /// Queues a part of a file to send, like ``enqueue(_:)``. The connection keeps the file open until it has sent the
    /// part.
    ///
    /// - Returns: `true` if there is room for more. `nil` if the connection cannot send files itself; then the caller
    ///   reads the file into memory, and queues the bytes.
    /// - Throws: ``ConnectionError``. After an error, the connection can send nothing more.
    func enqueue(_ file: ReadableFile, range: Range<Int64>) throws(ConnectionError) -> Bool?

    /// Waits until there is room for more bytes to send. Any number of tasks may wait at the same time.
    ///
    /// - Parameter deadline: The deadline for waiting. `nil` sets no limit.
    /// - Throws: ``ConnectionError``. Cancelling the task ends the wait, but the connection still sends the queued
    ///   bytes.
    func waitForRoom(deadline: CallDeadline?) async throws(ConnectionError)

    /// The maximum number of bytes of a file for one call of ``write(_:range:deadline:)``.
    var maximumFileSegmentByteCount: Int64 { get }

    /// Whether a new exchange may begin on the connection.
    ///
    /// This is the case if the connection is open in both directions, has no unread bytes, and has sent all queued
    /// bytes. A connection may look for bytes and for the peer's end first, and so call the action of ``onEnd(_:)`` on
    /// this thread. Do not use this property while a lock is held that such an action needs.
    var isReadyForExchange: Bool { get }

    /// Sets an action to call once, from any thread, when the peer ends its side or the connection fails.
    func onEnd(_ action: @escaping @Sendable () -> Void)

    /// The executor that runs tasks on the thread that serves the connection; `nil` if there is none.
    var executor: (any TaskExecutor)? { get }

    /// The addresses of both ends, as far as they are known.
    var addresses: ConnectionAddresses { get }

    /// Negotiates TLS, which encrypts all later bytes.
    ///
    /// If a proxy and the server both use TLS, the client calls this method twice: for the proxy, and then for the
    /// server.
    ///
    /// Call this method only while no task reads or writes, and no bytes are unread.
    ///
    /// - Parameters:
    ///   - configuration: The servers to trust, and the versions and certificate to offer to them.
    ///   - host: The name or address that the server's certificate must contain.
    ///   - port: The server's port, from 1 to 65535. Only the decider needs it.
    ///   - decider: Decides about trust and chooses a certificate. `nil` leaves both to the configuration.
    ///   - deadline: The deadline for the handshake. `nil` sets no limit.
    /// - Returns: The negotiated parameters.
    /// - Throws: ``ConnectionError``, usually ``ConnectionError/tls(_:)``. After an error, the connection cannot be
    ///   used. Cancelling the task closes the connection.
    func startTLS(
        _ configuration: TLSConfiguration,
        to host: String,
        port: Int,
        asking decider: (any TLSDecider)?,
        deadline: CallDeadline?
    ) async throws(ConnectionError) -> TLSFacts

    /// Closes the connection at once: pending and later reads and writes fail. Any thread may call this method, any
    /// number of times. The connection may run actions on this thread, so do not hold a lock that such an action needs.
    ///
    /// Before it closes, the connection sends the queued bytes that it can send without waiting, up to the first part
    /// of a file. It sends no files, because it would read them only now, and their content might have changed.
    func close()

    /// Closes the connection like ``close()``, and calls `action` once, from any thread, when the system has released
    /// the descriptor.
    ///
    /// The pool opens no other connection in place of this one before the release. The release must therefore not
    /// depend on the peer. The default implementation calls `action` at once.
    ///
    /// - Parameter action: The action to run after the release.
    func close(then action: @escaping @Sendable () -> Void)
}

extension Connection {
    /// The default implementation returns 256 KiB.
    ///
    /// If the connection cannot send files itself, ``write(_:range:deadline:)`` reads this many bytes into memory at a
    /// time.
    public var maximumFileSegmentByteCount: Int64 { 256 << 10 }

    /// The default implementation returns `nil`.
    public var executor: (any TaskExecutor)? { nil }

    /// The default implementation returns unknown addresses.
    public var addresses: ConnectionAddresses { ConnectionAddresses() }

    /// The default implementation returns bytes that have arrived, and otherwise reads in a task.
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

    /// The default implementation throws an error, because it does not support TLS.
    public func startTLS(
        _ configuration: TLSConfiguration,
        to host: String,
        port: Int,
        asking decider: (any TLSDecider)?,
        deadline: CallDeadline?
    ) async throws(ConnectionError) -> TLSFacts {
        throw .tls(.configuration("this kind of connection cannot be encrypted"))
    }

    /// The default implementation returns `nil`, so that callers read files into memory to send them.
    public func enqueue(_ file: ReadableFile, range: Range<Int64>) throws(ConnectionError) -> Bool? { nil }

    /// Closes the connection.
    ///
    /// This default implementation assumes that the system releases the descriptor at once.
    public func close(then action: @escaping @Sendable () -> Void) {
        self.close()
        action()
    }

    /// Closes the connection, and returns when the system has released the descriptor.
    ///
    /// Cancelling the task does not shorten the wait.
    package func closeAndWait() async {
        await withUnsafeContinuation { continuation in self.close { continuation.resume() } }
    }

    /// Queues bytes to send, and returns as soon as there is room for more.
    ///
    /// - Parameters:
    ///   - bytes: The bytes to send.
    ///   - deadline: The deadline for waiting for room. `nil` sets no limit.
    /// - Throws: ``ConnectionError``. After an error, the connection can send nothing more. Cancelling the task ends
    ///   the wait.
    public func write(_ bytes: ByteBuffer, deadline: CallDeadline?) async throws(ConnectionError) {
        if try !self.enqueue(bytes) { try await self.waitForRoom(deadline: deadline) }
    }

    /// Queues a part of a file to send, and returns as soon as there is room for more.
    ///
    /// - Parameters:
    ///   - file: The file, which the connection keeps open until it has sent the part.
    ///   - range: The range of bytes to send.
    ///   - deadline: The deadline for waiting for room. `nil` sets no limit.
    /// - Throws: ``ConnectionError``. The error is ``ConnectionError/file(_:)`` if the range cannot be read.
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
