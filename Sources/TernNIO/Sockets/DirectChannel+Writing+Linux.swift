// SPDX-License-Identifier: Apache-2.0
// Compiled and run on Linux with glibc; never compiled with musl.

#if os(Linux)
import CReadiness
import NIOCore
import Synchronization
import TernCLibrary
import TernConnections
import TernErrors

extension DirectChannel {
    private static let (lowWaterByteCount, highWaterByteCount) = (128 << 10, 512 << 10)

    func flushSoon(_ byteCount: Int64, isCopied: Bool, _ flush: @escaping @Sendable () -> Void) {
        if self.spinning.callerSends(byteCount, isCopied: isCopied) {
            self.loop.executeAlone(flush)
        } else {
            self.readiness.perform { self.loop.execute(flush) }
        }
    }

    func onProgress(_ action: @escaping @Sendable () -> Void) { self.progressed = action }

    var hasSentAll: Bool { self.isActive && !self.hasUnsent.load(ordering: .relaxed) }

    func write0(_ data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard self.isActive else {
            promise?.fail(ChannelError.ioOnClosedChannel)
            return
        }
        self.writes.append(self.unwrapData(data, as: IOData.self), promise)
        if self.writes.byteCount > Self.highWaterByteCount { self.setWritable(false) }
    }

    private func setWritable(_ isWritable: Bool) {
        guard self.hasRoom.exchange(isWritable, ordering: .relaxed) != isWritable else { return }
        self.pipeline.syncOperations.fireChannelWritabilityChanged()
    }

    func flush0() {
        self.writes.flush()
        self.perform(self.state.flushed())
    }

    func send() {
        // Also after a failure: the reader may still get a response before the channel closes.
        defer { self.hasUnsent.store(self.state.hasUnsent, ordering: .relaxed) }
        while self.isActive, let data = self.writes.first {
            let count = self.writes.beginsWithSeveralBuffers ? self.sendGathered() : self.send(data)
            if count < 0 {
                let code = errno
                if code == EINTR { continue }
                if code == EAGAIN || code == EWOULDBLOCK { return self.perform(self.state.wouldBlockOnSend()) }
                // Later, because the caller may hold a lock that the handlers of the error need.
                self.state.sendingFailed(code)
                return self.loop.execute { self.failAfterReceiving(IOError(errnoCode: code, reason: "send")) }
            }
            if count == 0, data.readableBytes > 0 {
                // Only a file that has become shorter has no more bytes.
                self.state.sendingFailed(nil)
                return self.loop.execute { self.fail(ConnectionError.file(.fileChanged)) }
            }
            self.writes.sent(count)
            if self.writes.byteCount < Self.lowWaterByteCount { self.setWritable(true) }
        }
        self.perform(self.state.sentAll())
    }

    private func sendGathered() -> Int {
        self.writes.withGatheredBytes { vectors in
            var message = msghdr()
            message.msg_iov = vectors.baseAddress
            message.msg_iovlen = numericCast(vectors.count)
            return sendmsg(self.socket, &message, CInt(MSG_NOSIGNAL))
        }
    }

    private func send(_ data: IOData) -> Int {
        switch data {
        case .byteBuffer(let bytes):
            bytes.withUnsafeReadableBytes { SystemSocket.send(self.socket, $0) }
        case .fileRegion(let region):
            (try? region.fileHandle.withUnsafeFileDescriptor { file in
                var offset = off_t(region.readerIndex)
                return CReadiness_sendFile(self.socket, file, &offset, region.readableBytes)
            }) ?? -1
        }
    }
}
#endif
