// SPDX-License-Identifier: Apache-2.0
import NIOCore
import Synchronization
import TernConnections

/// A NIO channel whose network is another connection, so that TLS can run inside that connection.
///
/// `@unchecked Sendable`: the event loop alone uses the variables, except the pipeline, which is set before the channel is
/// shared.
final class LayeredChannel: OpenChannel, @unchecked Sendable {
    let allocator = ByteBufferAllocator()
    let eventLoop: any EventLoop
    private let base: any Connection
    private let closePromise: EventLoopPromise<Void>
    private lazy var madePipeline = ChannelPipeline(channel: self)
    private let isOpen = Atomic<Bool>(true)
    private let hasRoom = Atomic<Bool>(true)
    private var unflushed: [(bytes: ByteBuffer, promise: EventLoopPromise<Void>?)] = []
    private var isReading = false

    /// Creates an active channel, on the event loop.
    init(over base: any Connection, on eventLoop: any EventLoop) {
        self.base = base
        self.eventLoop = eventLoop
        self.closePromise = eventLoop.makePromise()
        _ = self.madePipeline
    }

    var pipeline: ChannelPipeline { self.madePipeline }
    var closeFuture: EventLoopFuture<Void> { self.closePromise.futureResult }
    var isActive: Bool { self.isOpen.load(ordering: .relaxed) }
    var isWritable: Bool { self.hasRoom.load(ordering: .relaxed) }

    var localAddress: SocketAddress? { nil }
    var remoteAddress: SocketAddress? { nil }
    func localAddress0() throws -> SocketAddress { throw ChannelError.operationUnsupported }
    func remoteAddress0() throws -> SocketAddress { throw ChannelError.operationUnsupported }

    // MARK: Reading

    func read0() {
        guard self.isActive, !self.isReading else { return }
        self.isReading = true
        if let bytes = self.base.readAvailable() {
            // In a later tick of the loop: the handlers ask for more while they receive, so this method would call itself.
            return self.eventLoop.execute { self.received(.success(bytes)) }
        }
        Task(executorPreference: self.base.executor) { [base, eventLoop] in
            let result: Result<ByteBuffer?, ConnectionError>
            do throws(ConnectionError) {
                result = .success(try await base.read(atLeast: 1, deadline: nil))
            } catch {
                result = .failure(error)
            }
            eventLoop.execute { self.received(result) }
        }
    }

    private func received(_ result: Result<ByteBuffer?, ConnectionError>) {
        self.isReading = false
        guard self.isActive else { return }
        switch result {
        case .success(let bytes?):
            self.pipeline.syncOperations.fireChannelRead(NIOAny(bytes))
            self.pipeline.syncOperations.fireChannelReadComplete()
        case .success(nil):
            self.pipeline.syncOperations.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
            self.pipeline.syncOperations.fireChannelReadComplete()
        case .failure(let failure):
            self.fail(failure)
        }
    }

    // MARK: Writing

    func write0(_ data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard self.isActive else {
            promise?.fail(ChannelError.ioOnClosedChannel)
            return
        }
        switch self.unwrapData(data, as: IOData.self) {
        case .byteBuffer(let bytes): self.unflushed.append((bytes, promise))
        case .fileRegion: promise?.fail(ChannelError.operationUnsupported)
        }
    }

    func flush0() {
        guard self.isActive, !self.unflushed.isEmpty else { return }
        let writes = self.unflushed
        self.unflushed.removeAll(keepingCapacity: true)
        // One piece, because the connection below may send each piece in its own frames.
        var bytes = ByteBuffer()
        for write in writes { bytes.writeImmutableBuffer(write.bytes) }
        let hasRoom: Bool
        do throws(ConnectionError) {
            hasRoom = try self.base.enqueue(bytes)
        } catch {
            for write in writes { write.promise?.fail(error) }
            return self.fail(error)
        }
        for write in writes { write.promise?.succeed() }
        if !hasRoom { self.waitForRoom() }
    }

    private func waitForRoom() {
        guard self.hasRoom.exchange(false, ordering: .relaxed) else { return }
        self.pipeline.syncOperations.fireChannelWritabilityChanged()
        Task(executorPreference: self.base.executor) { [base, eventLoop] in
            // After a failure, the next read or write fails with the reason.
            try? await base.waitForRoom(deadline: nil)
            eventLoop.execute {
                self.hasRoom.store(true, ordering: .relaxed)
                if self.isActive { self.pipeline.syncOperations.fireChannelWritabilityChanged() }
            }
        }
    }

    // MARK: The end

    private func fail(_ failure: ConnectionError) {
        self.pipeline.syncOperations.fireErrorCaught(failure)
        self.close0(error: failure, mode: .all, promise: nil)
    }

    func close0(error: any Error, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        guard self.beginsToClose(self.isOpen, mode, promise) else { return }
        for write in self.unflushed { write.promise?.fail(error) }
        self.unflushed.removeAll()
        self.base.close { [eventLoop, closePromise] in
            promise?.succeed()
            eventLoop.execute { self.leavePipeline(closePromise) }
        }
    }
}
