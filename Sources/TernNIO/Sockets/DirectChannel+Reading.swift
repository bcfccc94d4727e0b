// SPDX-License-Identifier: Apache-2.0
#if os(Linux)
import NIOCore
import Synchronization

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

extension DirectChannel {
    /// The state of the receiving side.
    struct Input {
        var sizes = AdaptiveRecvByteBufferAllocator(minimum: 1 << 10, initial: 4 << 10, maximum: 128 << 10)
        /// Whether the handlers have asked for bytes.
        var isWanted = false
        /// Whether the socket may have bytes.
        ///
        /// Exact only while the thread of the readiness waits for them.
        var mayBeReadable = false
        /// Whether the peer has ended its side, so that a read must go on until the end.
        var mayHaveEnded = false
        /// Whether a read has found the end.
        var hasEnded = false
        /// Whether ``receiveAll()`` is running.
        var isReceiving = false
        /// Whether a reader receives on its own thread.
        var isPolled = false
        /// Whether actions wait for bytes, so that a thread must watch the socket at all other times.
        var isReadByActions = false
    }

    private static let maximumReadCount = 2
    private static let maximumRoundCount = 8

    func read0() {
        guard !self.input.isWanted else { return }
        self.input.isWanted = true
        if self.input.mayBeReadable, !self.input.isReceiving, self.interest.contains(.readable) {
            self.loop.execute { self.receiveAll() }
        }
    }

    /// Receives bytes while the handlers want more, and the socket may have more.
    func receiveAll() {
        guard !self.input.isReceiving else { return }
        self.input.isReceiving = true
        defer { self.input.isReceiving = false }
        for _ in 0..<Self.maximumRoundCount where self.input.mayBeReadable {
            if !self.receive() { return }
        }
        // The loops of other connections have their turn first.
        if self.input.mayBeReadable, self.input.isWanted {
            self.readiness.perform { self.loop.execute { self.receiveAll() } }
        }
    }

    /// Receives what has arrived, once.
    ///
    /// - Returns: Whether bytes or the end have arrived.
    @discardableResult
    func receive() -> Bool {
        guard self.input.isWanted, !self.input.hasEnded else { return false }
        var hasReceived = false
        var failure: IOError?
        for _ in 0..<Self.maximumReadCount where self.isActive {
            var bytes = self.input.sizes.buffer(allocator: self.allocator)
            let room = bytes.writableBytes
            let count = bytes.writeWithUnsafeMutableBytes(minimumWritableBytes: 0) { storage in
                while true {
                    let count = recv(self.socket, storage.baseAddress, storage.count, 0)
                    if count >= 0 { return count }
                    if errno == EINTR { continue }
                    failure = IOError(errnoCode: errno, reason: "recv")
                    return 0
                }
            }
            if failure != nil { break }
            self.input.isWanted = false
            hasReceived = true
            if count == 0 {
                self.input.hasEnded = true
                self.input.mayBeReadable = false
                self.pipeline.syncOperations.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
                break
            }
            _ = self.input.sizes.record(actualReadBytes: count)
            self.pipeline.syncOperations.fireChannelRead(NIOAny(bytes))
            if count < room, !self.input.mayHaveEnded {
                self.input.mayBeReadable = false
                break
            }
        }
        if hasReceived {
            self.isOurTurn.store(true, ordering: .relaxed)
            self.pipeline.syncOperations.fireChannelReadComplete()
        }
        guard let failure else { return hasReceived }
        if failure.errnoCode == EAGAIN || failure.errnoCode == EWOULDBLOCK {
            self.input.mayBeReadable = false
            return hasReceived
        }
        self.fail(failure)
        return true
    }
}
#endif
