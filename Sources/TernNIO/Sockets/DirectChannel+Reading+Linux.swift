// SPDX-License-Identifier: Apache-2.0
// Compiled and run on Linux with glibc; never compiled with musl.

#if os(Linux)
import NIOCore
import Synchronization
import TernCLibrary

extension DirectChannel {
    struct Input {
        var sizes = AdaptiveRecvByteBufferAllocator(minimum: 1 << 10, initial: 4 << 10, maximum: 256 << 10)
        var isWanted = false
        /// Whether the socket may have bytes; `false` is certain only while the ``Readiness`` thread watches it.
        var mayBeReadable = false
        /// Whether the peer has ended its side, so that a read must go on until the end.
        var mayHaveEnded = false
        var hasEnded = false
        /// The failure of a write, which stands for the end that a read finds, because the system reports a reset only once.
        var failureOfWriting: IOError?
        var isReceiving = false
        /// Whether the ``Readiness`` thread will call ``receiveAll()`` again.
        var continuesLater = false
        var isPolled = false
        /// Whether the socket is not watched, because each arrival would wake the thread without a handler that wants bytes.
        var isPaused = false
        /// Whether an action has waited, so that the thread watches the socket whenever no reader polls it.
        var isReadByActions = false
    }

    private static let maximumRoundCount = 8

    func read0() {
        guard !self.input.isWanted else { return }
        self.input.isWanted = true
        guard !self.input.isReceiving, !self.input.continuesLater else { return }
        if self.input.isPaused { self.wait(for: self.interest.union(.readable)) }
        if self.input.mayBeReadable, self.interest.contains(.readable) {
            self.loop.execute { self.receiveAll() }
        }
    }

    func readerDemands() {
        self.isDemanded.store(true, ordering: .relaxed)
        self.loop.execute {
            // Later, in `readerWaits`, when the reader has freed the memory of the bytes that it has.
            if self.input.isPaused { self.input.isWanted = true } else { self.read0() }
        }
    }

    /// Stops watching the socket if the handlers do not want the bytes that have arrived.
    func pauseIfUnwanted() {
        guard self.input.mayBeReadable, !self.input.isWanted, self.interest.contains(.readable) else { return }
        self.wait(for: self.interest.subtracting(.readable))
        self.input.isPaused = true
    }

    /// Receives what a reader has demanded; `false` if the socket is watched, `nil` if another thread works for this channel.
    func receiveDemanded() -> Bool? {
        self.loop.executeIfFree {
            guard self.input.isPaused else { return false }
            self.receiveAll()
            return true
        }
    }

    /// Receives bytes while the handlers want more, and the socket may have more.
    func receiveAll() {
        guard !self.input.isReceiving, !self.input.continuesLater else { return }
        self.input.isReceiving = true
        defer { self.input.isReceiving = false }
        for _ in 0..<Self.maximumRoundCount where self.input.mayBeReadable {
            if !self.receive() { return }
        }
        // The loops of other connections have their turn first.
        guard self.input.mayBeReadable, self.input.isWanted else { return }
        self.input.continuesLater = true
        self.readiness.perform {
            self.loop.execute {
                self.input.continuesLater = false
                self.receiveAll()
            }
        }
    }

    /// Drops what has arrived, because closing a socket with unread bytes resets the connection, and drops what was sent last.
    func discardArrivals() {
        guard !self.interest.contains(.readable) else { return }
        withUnsafeTemporaryAllocation(byteCount: 16 << 10, alignment: 16) { storage in
            for _ in 0..<Self.maximumRoundCount where recv(self.socket, storage.baseAddress, storage.count, 0) > 0 {}
        }
    }

    /// Closes the channel after a failed write, once the reader has the response that the peer may have sent before.
    func failAfterReceiving(_ failure: IOError) {
        self.input.mayHaveEnded = true  // goes on after a short read
        while self.isActive, self.receive() {}
        self.fail(failure)
    }

    /// Receives what has arrived, with one read; returns whether it found bytes, the end or a failure.
    @discardableResult
    func receive() -> Bool {
        guard self.isActive, self.input.isWanted, !self.input.hasEnded else { return false }
        var bytes = self.input.sizes.buffer(allocator: self.allocator)
        let room = bytes.writableBytes
        var failure: IOError?
        let count = bytes.writeWithUnsafeMutableBytes(minimumWritableBytes: 0) { storage in
            while true {
                let count = recv(self.socket, storage.baseAddress, storage.count, 0)
                if count >= 0 { return count }
                if errno == EINTR { continue }
                failure = IOError(errnoCode: errno, reason: "recv")
                return 0
            }
        }
        if count == 0, failure == nil { failure = self.input.failureOfWriting }
        if let failure {
            if failure.errnoCode == EAGAIN || failure.errnoCode == EWOULDBLOCK {
                self.input.mayBeReadable = false
                return false
            }
            self.fail(failure)
            return true
        }
        if count == 0 {
            self.input.hasEnded = true
            self.input.mayBeReadable = false
            self.pipeline.syncOperations.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        } else {
            self.input.isWanted = false
            if count < room, !self.input.mayHaveEnded { self.input.mayBeReadable = false }
            _ = self.input.sizes.record(actualReadBytes: count)
            self.isOurTurn.store(true, ordering: .relaxed)
            self.pipeline.syncOperations.fireChannelRead(NIOAny(bytes))
        }
        self.pipeline.syncOperations.fireChannelReadComplete()
        return true
    }
}
#endif
